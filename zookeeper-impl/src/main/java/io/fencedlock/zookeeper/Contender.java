package io.fencedlock.zookeeper;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One holder's place in the queue: its znode, from the first request to the last. Requests of one contender follow each other; a repeated one
 * joins the one that is still on its way. Thread-safe.
 */
final class Contender {

    /** A watch that got lost costs at most this. */
    static final Duration RECHECK = Duration.ofSeconds(1);

    private final LockName name;
    private final HolderId holder;
    private final String stripe;
    private final Tokens tokens;
    private final ZkSettings settings;
    private final Lookout lookout;
    private final Runnable onDoubt;

    /** Guarded by this, as all below. */
    private @Nullable CompletableFuture<Attempt> asking;

    private @Nullable Place place;
    /** What our node said of the base of the tokens when it was made. */
    private long base;
    /** Whether a node of ours may stand that we do not know: it must be looked for before another one is made. */
    private boolean doubtful;

    private boolean abandoned;
    private @Nullable Holding holding;
    /** The highest token known before the node was made: its own has to be above. */
    private long floor;

    /**
     * A contender without a node.
     *
     * @param onDoubt called when a node may come to stand that nobody knows of
     */
    Contender(ZkSettings settings, Tokens tokens, LockName name, HolderId holder, Runnable onDoubt) {
        this.settings = settings;
        this.name = name;
        this.holder = holder;
        this.tokens = tokens;
        this.onDoubt = onDoubt;
        stripe = settings.paths().stripe(name);
        lookout = new Lookout(tokens);
    }

    synchronized CompletableFuture<Attempt> ask(ZkSession session, AcquireRequest request) {
        if (asking == null || asking.isDone()) {
            asking = abandoned ? again() : decide(session, request);
        }
        return asking;
    }

    private synchronized CompletableFuture<Attempt> decide(ZkSession session, AcquireRequest request) {
        if (place != null && !place.session().equals(session)) {
            vanish(place, LossReason.SESSION_ENDED);
        }
        if (place == null) {
            return doubtful ? find(session, request) : make(session, request);
        }
        if (holding != null) {
            return CompletableFuture.completedFuture(holding.attempt());
        }
        if (lookout.saysWeAreFirst(session)) {
            return grant(request);
        }
        return session.children(stripe).thenCompose(children -> take(session, request, children));
    }

    private CompletableFuture<Attempt> make(ZkSession session, AcquireRequest request) {
        synchronized (this) {
            floor = tokens.highest();
            doubtful = false;
        }
        return entrance()
                .make(session)
                .whenComplete((entered, failure) -> noteDoubt(failure))
                .thenCompose(entered -> moveIn(request, entered));
    }

    /** Not kept, as it is used once by most, and thousands may hold. */
    private Entrance entrance() {
        return new Entrance(settings, tokens, name, stripe, holder);
    }

    private void noteDoubt(@Nullable Throwable failure) {
        if (failure != null && ZkErrors.leavesDoubt(failure)) {
            synchronized (this) {
                doubtful = true;
            }
            onDoubt.run();
        }
    }

    /** After a lost reply, or with a node left on an ended session. */
    private CompletableFuture<Attempt> find(ZkSession session, AcquireRequest request) {
        return entrance()
                .find(session)
                .thenCompose(found -> found.isPresent() ? moveIn(request, found.get()) : make(session, request));
    }

    private CompletableFuture<Attempt> moveIn(AcquireRequest request, Entrance.Entered entered) {
        Place made = entered.place();
        synchronized (this) {
            place = made;
            base = entered.base();
            doubtful = false;
        }
        return isAbandoned()
                ? leave(made).thenCompose(left -> again())
                : entered.children().thenCompose(children -> take(made.session(), request, children));
    }

    private CompletableFuture<Attempt> take(ZkSession session, AcquireRequest request, List<String> children) {
        Place mine = place();
        if (mine == null || isAbandoned()) {
            return again();
        }
        String own = ZkPaths.child(mine.path());
        session.noteCrowd(stripe, children.size() > 1);
        if (children.equals(List.of(own))) {
            return grant(request);
        }
        return Rivals.inOrder(session, name, stripe, children).thenCompose(rivals -> {
            int at = rivals.indexOf(own);
            if (at == 0) {
                return grant(request);
            }
            if (at < 0) {
                // Deleted by somebody else: back to the end of the queue.
                vanish(mine, LossReason.NOT_HELD);
                return again();
            }
            if (!request.waits()) {
                return leave(mine).thenApply(left -> new Attempt.Held(RECHECK, new CompletableFuture<>()));
            }
            return lookout.on(session, stripe + "/" + rivals.get(at - 1), at == 1)
                    .<Attempt>thenApply(news -> new Attempt.Held(RECHECK, news))
                    .exceptionallyCompose(
                            ZkErrors.instead(Code.NONODE, () -> at == 1 ? grant(request) : decide(session, request)));
        });
    }

    /** The engine's next try decides. */
    private static CompletableFuture<Attempt> again() {
        return CompletableFuture.completedFuture(new Attempt.Held(Duration.ofMillis(1), new CompletableFuture<>()));
    }

    private CompletableFuture<Void> leave(Place mine) {
        return mine.clear().thenRun(() -> vanish(mine, LossReason.NOT_HELD));
    }

    /** The head of the queue: its node tells the base that counts before anybody hears of the token. */
    private CompletableFuture<Attempt> grant(AcquireRequest request) {
        Place mine;
        long said;
        synchronized (this) {
            mine = place;
            said = base;
        }
        if (mine == null) {
            return again();
        }
        return tokens.settle(mine, name, said, settings.retry())
                .thenApply(lift -> hold(mine, lift, request))
                .exceptionallyCompose(failure -> {
                    if (ZkErrors.is(failure, Code.NONODE)) {
                        vanish(mine, LossReason.NOT_HELD);
                        return again();
                    }
                    return ZkErrors.of("token", failure) instanceof BackendUnavailableException
                            ? leave(mine).thenCompose(left -> CompletableFuture.failedFuture(failure))
                            : CompletableFuture.failedFuture(failure);
                });
    }

    private synchronized Attempt hold(Place mine, long lift, AcquireRequest request) {
        if (!mine.equals(place)) {
            return new Attempt.Held(Duration.ofMillis(1), new CompletableFuture<>());
        }
        ZkRef ref = new ZkRef(mine.path());
        Grant grant = new Grant(name, holder, tokens.granted(mine, lift, floor), request.lease(), ref);
        holding = new Holding(mine.session(), grant);
        return holding.attempt();
    }

    /** Its node, if it is known to stand on a session. */
    synchronized @Nullable Place place() {
        return place;
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    /** Whether nothing of it can be on the server. */
    synchronized boolean isTraceless() {
        return place == null && !doubtful && (asking == null || asking.isDone());
    }

    /**
     * Its node is gone: a holder is told, a waiter asks again and enters anew.
     *
     * @return whether it held the lock
     */
    boolean vanish(Place gone, LossReason reason) {
        Holding told;
        synchronized (this) {
            if (!gone.equals(place)) {
                return false;
            }
            place = null;
            // The server may not have ended the session yet, and the node would stand before our next one.
            doubtful |= reason == LossReason.SESSION_ENDED;
            told = holding;
            holding = null;
        }
        if (told != null) {
            told.lose(reason);
        }
        lookout.lower();
        return told != null;
    }

    /**
     * Gives up.
     *
     * @return completes when the node that is known, or that a request on its way makes, is deleted; false if it has to be looked for
     */
    CompletableFuture<Boolean> abandon() {
        Place mine;
        CompletableFuture<Attempt> last;
        synchronized (this) {
            abandoned = true;
            mine = place;
            last = asking;
        }
        lookout.close();
        if (mine != null) {
            return mine.clear();
        }
        return last == null
                ? CompletableFuture.completedFuture(true)
                : last.handle((attempt, failure) -> isTraceless());
    }
}
