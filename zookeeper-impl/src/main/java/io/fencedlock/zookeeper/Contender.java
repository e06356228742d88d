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
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One holder's place in the queue: its znode, from the first request to the last. Requests of one contender follow each other; a repeated one
 * joins the one that is still on its way. Thread-safe.
 */
final class Contender {

    /** A watch that got lost costs at most this. */
    static final Duration RECHECK = Duration.ofSeconds(1);

    private final ZkPaths paths;
    private final Tokens tokens;
    private final LockName name;
    private final HolderId holder;
    private final byte[] data;

    /** Guarded by this, as all below. */
    private @Nullable CompletableFuture<Attempt> asking;

    private @Nullable Place place;
    /** Whether a node of ours may stand that we do not know: it must be looked for before another one is made. */
    private boolean doubtful;

    private boolean abandoned;
    private @Nullable Holding holding;
    private @Nullable PredecessorWatch watch;
    /** The highest token known before the node was made: its own has to be above. */
    private long floor;

    Contender(ZkPaths paths, Tokens tokens, LockName name, HolderId holder) {
        this.paths = paths;
        this.tokens = tokens;
        this.name = name;
        this.holder = holder;
        data = NodeData.of(name);
    }

    synchronized CompletableFuture<Attempt> ask(ZkSession session, AcquireRequest request) {
        if (asking == null || asking.isDone()) {
            asking = decide(session, request);
        }
        return asking;
    }

    private synchronized CompletableFuture<Attempt> decide(ZkSession session, AcquireRequest request) {
        if (place != null && !place.session().equals(session)) {
            vanish(place, LossReason.SESSION_ENDED);
        }
        if (place == null) {
            return doubtful ? adopt(session, request) : enter(session, request);
        }
        if (holding != null) {
            return CompletableFuture.completedFuture(holding.attempt());
        }
        if (watch != null && watch.saysWeAreFirst(session)) {
            return grant(request);
        }
        return session.children(paths.stripe(name)).thenCompose(children -> take(session, request, children));
    }

    /** Create and list in one flight: requests of a session are answered in order, so the list has the own node. */
    private CompletableFuture<Attempt> enter(ZkSession session, AcquireRequest request) {
        synchronized (this) {
            floor = tokens.highest();
        }
        CompletableFuture<ZkSession.Created> created =
                session.create(paths.contender(name, holder), data, CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<List<String>> listed = session.children(paths.stripe(name));
        return created.handle((node, failure) -> {
                    if (failure == null) {
                        Place made = new Place(session, node.path(), node.stat().getCzxid());
                        return moveIn(made)
                                .thenCompose(in -> listed)
                                .thenCompose(children -> take(session, request, children));
                    }
                    if (ZkErrors.is(failure, Code.NONODE)) {
                        return Parents.make(session, paths.stripe(name)).thenCompose(made -> enter(session, request));
                    }
                    noteDoubt(failure);
                    return CompletableFuture.<Attempt>failedFuture(failure);
                })
                .thenCompose(attempt -> attempt);
    }

    private synchronized void noteDoubt(Throwable failure) {
        doubtful |= ZkErrors.is(failure, Code.CONNECTIONLOSS)
                || ZkErrors.is(failure, Code.OPERATIONTIMEOUT)
                || ZkErrors.is(failure, Code.SESSIONEXPIRED);
    }

    private CompletableFuture<Void> moveIn(Place made) {
        synchronized (this) {
            place = made;
            doubtful = false;
            if (!abandoned) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return made.session().delete(made.path());
    }

    /** After a lost reply, or with a node left on an ended session. */
    private CompletableFuture<Attempt> adopt(ZkSession session, AcquireRequest request) {
        return new Adoption(paths, name, holder).on(session).thenCompose(found -> {
            if (found.isEmpty()) {
                synchronized (this) {
                    doubtful = false;
                }
                return enter(session, request);
            }
            return moveIn(found.get())
                    .thenCompose(in -> session.children(paths.stripe(name)))
                    .thenCompose(children -> take(session, request, children));
        });
    }

    private CompletableFuture<Attempt> take(ZkSession session, AcquireRequest request, List<String> children) {
        Place mine = place();
        if (mine == null || isAbandoned()) {
            return again();
        }
        String stripe = paths.stripe(name);
        return Rivals.inOrder(session, name, stripe, children).thenCompose(rivals -> {
            int at = rivals.indexOf(ZkPaths.child(mine.path()));
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
            return watch(session, request, stripe + "/" + rivals.get(at - 1), at == 1);
        });
    }

    /** The engine's next try decides. */
    private static CompletableFuture<Attempt> again() {
        return CompletableFuture.completedFuture(new Attempt.Held(Duration.ofMillis(1), new CompletableFuture<>()));
    }

    private CompletableFuture<Void> leave(Place mine) {
        return mine.session()
                .delete(mine.path())
                .exceptionallyCompose(ZkErrors.instead(Code.NONODE, () -> CompletableFuture.completedFuture(null)))
                .thenRun(() -> vanish(mine, LossReason.NOT_HELD));
    }

    private CompletableFuture<Attempt> watch(ZkSession session, AcquireRequest request, String before, boolean onHead) {
        PredecessorWatch old;
        PredecessorWatch set;
        synchronized (this) {
            if (watch != null && watch.isOn(session, before)) {
                return CompletableFuture.completedFuture(new Attempt.Held(RECHECK, watch.changed()));
            }
            old = watch;
            set = new PredecessorWatch(session, before, onHead);
            watch = set;
        }
        if (old != null) {
            old.remove();
        }
        return session.read(before, set)
                .<Attempt>thenApply(found -> {
                    if (isObsolete(set)) {
                        set.remove();
                    }
                    return new Attempt.Held(RECHECK, set.changed());
                })
                .exceptionallyCompose(failure -> {
                    set.fire();
                    if (!ZkErrors.is(failure, Code.NONODE)) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    return onHead ? grant(request) : decide(session, request);
                });
    }

    /** Whoever gave up meanwhile could not remove a watch that was only on its way. */
    private synchronized boolean isObsolete(PredecessorWatch set) {
        return abandoned || watch != set;
    }

    private CompletableFuture<Attempt> grant(AcquireRequest request) {
        Place mine = place();
        if (mine == null) {
            return again();
        }
        return tokens.of(mine, highestBefore())
                .thenApply(token -> hold(mine, new Grant(name, holder, token, request.lease(), new ZkRef(mine.path()))))
                .exceptionallyCompose(failure -> ZkErrors.of("token", failure) instanceof BackendUnavailableException
                        ? leave(mine).thenCompose(left -> CompletableFuture.failedFuture(failure))
                        : CompletableFuture.failedFuture(failure));
    }

    private synchronized long highestBefore() {
        return floor;
    }

    private synchronized Attempt hold(Place mine, Grant grant) {
        if (!mine.equals(place)) {
            return new Attempt.Held(Duration.ofMillis(1), new CompletableFuture<>());
        }
        holding = new Holding(mine.session(), grant);
        watch = null;
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
        PredecessorWatch hint;
        synchronized (this) {
            if (!gone.equals(place)) {
                return false;
            }
            place = null;
            // The server may not have ended the session yet, and the node would stand before our next one.
            doubtful |= reason == LossReason.SESSION_ENDED;
            told = holding;
            holding = null;
            hint = watch;
            watch = null;
        }
        if (told != null) {
            told.lose(reason);
        }
        if (hint != null) {
            hint.fire();
            hint.remove();
        }
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
        PredecessorWatch set;
        synchronized (this) {
            abandoned = true;
            mine = place;
            last = asking;
            set = watch;
        }
        if (set != null) {
            set.remove();
        }
        if (mine != null) {
            return mine.session()
                    .delete(mine.path())
                    .thenApply(deleted -> true)
                    .exceptionallyCompose(ZkErrors.answer(Code.NONODE, true));
        }
        return last == null
                ? CompletableFuture.completedFuture(true)
                : last.handle((attempt, failure) -> isTraceless());
    }
}
