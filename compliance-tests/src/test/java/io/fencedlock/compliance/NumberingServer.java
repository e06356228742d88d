package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.ManualClock;
import io.fencedlock.Renewal;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that numbers grants: a counter that is never below the clock, so that its order survives everything, but for the one event that
 * harms it.
 */
final class NumberingServer implements Controls {

    private static final long BORN = 1_000_000_000_000_000L;

    /** What happens to the server. */
    enum Event {
        RESTART,
        DATA_LOSS,
        FAILOVER,
        COUNTER_LOSS,
        CLOCK_STEP,
        NOTHING
    }

    private final ManualClock clock;
    private final Event harmful;
    private final Map<HolderId, Long> numbers = new ConcurrentHashMap<>();
    private final Set<HolderId> ended = ConcurrentHashMap.newKeySet();
    private long counter;
    private boolean lifted = true;

    NumberingServer(ManualClock clock, Event harmful) {
        this.clock = clock;
        this.harmful = harmful;
    }

    private synchronized long next() {
        long micros = BORN + clock.nanos() / 1000;
        counter = lifted ? Math.max(counter + 1, micros) : counter + 1;
        return counter;
    }

    private synchronized void raise(long floor) {
        counter = Math.max(counter, floor);
    }

    private synchronized void fallTo(Event event, long number) {
        if (event == harmful) {
            counter = number;
            lifted = false;
        }
    }

    @Override
    public void restartServer(boolean keepData) {
        fallTo(keepData ? Event.RESTART : Event.DATA_LOSS, 0);
    }

    @Override
    public void failOver() {
        fallTo(Event.FAILOVER, counter - 1);
    }

    @Override
    public void loseCounter() {
        fallTo(Event.COUNTER_LOSS, 0);
    }

    @Override
    public void stepClock(Duration by) {
        if (harmful == Event.CLOCK_STEP && !by.isNegative()) {
            ended.addAll(numbers.keySet());
        }
    }

    @Override
    public long entries() {
        return 0;
    }

    FencedLockBackend number(FencedLockBackend backend) {
        return new Renumbered(backend, numbers, grant -> next()) {
            @Override
            public CompletionStage<Renewal> renew(Grant grant) {
                return ended.contains(grant.holder())
                        ? right.release(grant).thenApply(released -> new Renewal.NotHeld())
                        : right.renew(grant);
            }

            @Override
            public CompletionStage<Void> raiseTokens(long floor) {
                raise(floor);
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public BackendProfile profile() {
                BackendProfile p = right.profile();
                return new BackendProfile(
                        p.backend(),
                        p.tokenSource(),
                        p.smallestLease(),
                        p.leaseGranularity(),
                        p.leaseScope(),
                        p.queueOrder(),
                        p.leaseClock(),
                        p.expirySlack(),
                        p.recheck(),
                        EnumSet.allOf(TokenSurvival.class),
                        p.disclaims(),
                        p.notes());
            }
        };
    }
}
