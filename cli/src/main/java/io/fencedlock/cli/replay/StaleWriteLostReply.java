package io.fencedlock.cli.replay;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The store grants the lock and its reply is lost. While that grant stands, asking again has to yield the same one and not a newer token. It may end
 * first: a client of ZooKeeper takes up to a second to come back, and its session ends like a lease.
 */
final class StaleWriteLostReply implements Scenario {
    private static final long LIMIT_SECONDS = 30;

    @Override
    public String name() {
        return "stale-write-lost-reply";
    }

    @Override
    public String summary() {
        return "the reply to a holder's acquire is lost, asking again yields the same token; then it pauses and writes late";
    }

    @Override
    public Needs needs() {
        return Needs.CUT;
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        stage.c().acquires(); // what a name's first use may have to create is there
        stage.c().releases();
        CompletableFuture<Void> lost = stage.faults().loseReplyToA(stage.subject());
        a.asks();
        await(lost);
        stage.happens("network", "lost", "worker-A's request is passed on, the reply to it is lost");
        long stored = stage.c().seesHolder();
        long seen = stage.now();
        stage.happens("network", "cut", "worker-A's connection breaks");
        stage.faults().breakConnectionsOfA();
        a.acquired();
        boolean same = stored == a.token();
        boolean ended = stage.now() - seen >= stage.lease().toNanos();
        a.checks();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        b.writes();
        b.releases();
        Verdict ending = StaleEnding.of(stage, a.continuesAndWrites());
        Map<String, Object> fields = new LinkedHashMap<>(ending.fields());
        fields.put("sameGrant", same);
        String grant = same
                ? "asking again yielded the same grant; "
                : "the first grant's time " + (ended ? "was over" : "was NOT over")
                        + ", asking again yielded another; ";
        boolean allowed = same || (ended && stored < a.token());
        return new Verdict(fields, ending.asExpected() && allowed, grant + ending.sentence());
    }

    private static void await(CompletableFuture<Void> lost) {
        try {
            lost.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for worker-A's request", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("worker-A sent no request for the lock", e);
        }
    }
}
