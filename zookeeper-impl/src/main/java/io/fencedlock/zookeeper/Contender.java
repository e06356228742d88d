package io.fencedlock.zookeeper;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.Liveness;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One holder's place in the queue: its znode, from the first request to the last. Requests of one contender follow each other; a repeated one
 * joins the one that is still on its way.
 */
final class Contender {

    /** A watch that got lost costs at most this. */
    static final Duration RECHECK = Duration.ofSeconds(1);

    private final ZkPaths paths;
    private final Tokens tokens;
    private final LockName name;
    private final HolderId holder;
    private final byte[] data;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

    private @Nullable CompletableFuture<Attempt> asking;
    private @Nullable Place place;
    /** Whether a create's reply was lost: the node may stand, and must be looked for before another one is made. */
    private boolean doubtful;

    private boolean abandoned;
    private @Nullable Grant grant;
    private @Nullable PredecessorWatch watch;

    /** Where the contender's node stands. */
    record Place(ZkSession session, String path, long zxid) {}

    Contender(ZkPaths paths, Tokens tokens, LockName name, HolderId holder, byte[] data) {
        this.paths = paths;
        this.tokens = tokens;
        this.name = name;
        this.holder = holder;
        this.data = data;
    }

    synchronized CompletableFuture<Attempt> ask(ZkSession session, AcquireRequest request) {
        if (asking == null || asking.isDone()) {
            asking = decide(session, request);
        }
        return asking;
    }

    private synchronized CompletableFuture<Attempt> decide(ZkSession session, AcquireRequest request) {
        if (place != null && !place.session().equals(session)) {
            // Our node was on a session that has ended; the server may not know it yet, and it would stand before our
            // next one.
            session.delete(place.path());
            place = null;
        }
        if (place == null) {
            return doubtful ? adopt(session, request) : enter(session, request);
        }
        if (grant != null) {
            return CompletableFuture.completedFuture(granted(session, grant));
        }
        if (watch != null && watch.saysWeAreFirst(session)) {
            return grant(session, request);
        }
        return session.children(paths.stripe(name)).thenCompose(children -> take(session, request, children));
    }

    /** Create and list in one flight: requests of a session are answered in order, so the list has the own node. */
    private CompletableFuture<Attempt> enter(ZkSession session, AcquireRequest request) {
        CompletableFuture<ZkSession.Created> created =
                session.create(paths.contender(name, holder), data, CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<List<String>> listed = session.children(paths.stripe(name));
        return created.handle((node, failure) -> {
                    if (failure == null) {
                        return entered(session, node).thenCompose(in -> listed);
                    }
                    if (ZkErrors.is(failure, Code.NONODE)) {
                        return Parents.make(session, paths.stripe(name)).<List<String>>thenApply(made -> null);
                    }
                    noteDoubt(failure);
                    return CompletableFuture.<List<String>>failedFuture(failure);
                })
                .thenCompose(children -> children)
                .thenCompose(children -> children == null ? enter(session, request) : take(session, request, children));
    }

    private synchronized void noteDoubt(Throwable failure) {
        doubtful |= ZkErrors.is(failure, Code.CONNECTIONLOSS) || ZkErrors.is(failure, Code.OPERATIONTIMEOUT);
    }

    private CompletableFuture<Void> entered(ZkSession session, ZkSession.Created node) {
        synchronized (this) {
            place = new Place(session, node.path(), node.stat().getCzxid());
            doubtful = false;
            if (!abandoned) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return session.delete(node.path());
    }

    /** After a lost reply: the lowest node with our holder is ours, others of ours are deleted. */
    private CompletableFuture<Attempt> adopt(ZkSession session, AcquireRequest request) {
        String stripe = paths.stripe(name);
        return session.sync(stripe)
                .thenCompose(synced -> session.children(stripe))
                .exceptionallyCompose(failure -> ZkErrors.is(failure, Code.NONODE)
                        ? CompletableFuture.completedFuture(List.of())
                        : CompletableFuture.failedFuture(failure))
                .thenCompose(children -> Rivals.inOrder(session, name, stripe, mine(children)))
                .thenCompose(mine -> {
                    mine.stream().skip(1).forEach(extra -> session.delete(stripe + "/" + extra));
                    if (mine.isEmpty()) {
                        synchronized (this) {
                            doubtful = false;
                        }
                        return enter(session, request);
                    }
                    return moveIn(session, request, stripe + "/" + mine.get(0));
                });
    }

    private List<String> mine(List<String> children) {
        return children.stream()
                .filter(child ->
                        ZkPaths.isContender(child) && ZkPaths.holderOf(child).equals(holder))
                .toList();
    }

    private CompletableFuture<Attempt> moveIn(ZkSession session, AcquireRequest request, String path) {
        return session.read(path).thenCompose(found -> {
            synchronized (this) {
                doubtful = false;
            }
            if (found.stat().getEphemeralOwner() != session.id()) {
                return session.delete(path).thenCompose(deleted -> enter(session, request));
            }
            return entered(session, new ZkSession.Created(path, found.stat()))
                    .thenCompose(in -> session.children(paths.stripe(name)))
                    .thenCompose(children -> take(session, request, children));
        });
    }

    private CompletableFuture<Attempt> take(ZkSession session, AcquireRequest request, List<String> children) {
        Place mine;
        synchronized (this) {
            mine = place;
        }
        String stripe = paths.stripe(name);
        return Rivals.inOrder(session, name, stripe, children).thenCompose(rivals -> {
            int at = mine == null ? -1 : rivals.indexOf(ZkPaths.child(mine.path()));
            if (at == 0) {
                return grant(session, request);
            }
            if (mine == null || at < 0) {
                // Deleted by somebody else: back to the end of the queue, at the engine's next try.
                forgetPlace();
                return CompletableFuture.completedFuture(
                        new Attempt.Held(Duration.ofMillis(1), new CompletableFuture<Void>()));
            }
            if (!request.waits()) {
                forgetPlace();
                return session.delete(mine.path())
                        .handle((deleted, failure) -> new Attempt.Held(RECHECK, new CompletableFuture<Void>()));
            }
            return watch(session, request, stripe + "/" + rivals.get(at - 1), at == 1);
        });
    }

    private synchronized void forgetPlace() {
        place = null;
    }

    private CompletableFuture<Attempt> watch(ZkSession session, AcquireRequest request, String before, boolean onHead) {
        PredecessorWatch set;
        synchronized (this) {
            if (watch != null && watch.isOn(session, before)) {
                return CompletableFuture.completedFuture(new Attempt.Held(RECHECK, watch.changed()));
            }
            set = new PredecessorWatch(session, before, onHead);
            watch = set;
        }
        return session.read(before, set)
                .<Attempt>thenApply(found -> new Attempt.Held(RECHECK, set.changed()))
                .exceptionallyCompose(failure -> {
                    set.changed().complete(null);
                    if (!ZkErrors.is(failure, Code.NONODE)) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    return onHead ? grant(session, request) : decide(session, request);
                });
    }

    private CompletableFuture<Attempt> grant(ZkSession session, AcquireRequest request) {
        Place mine;
        synchronized (this) {
            mine = place;
        }
        if (mine == null) {
            return CompletableFuture.completedFuture(
                    new Attempt.Held(Duration.ofMillis(1), new CompletableFuture<Void>()));
        }
        return tokens.of(session, mine).thenApply(token -> {
            synchronized (this) {
                grant = new Grant(name, holder, token, request.lease(), new ZkRef(mine.path()));
                watch = null;
                return granted(session, grant);
            }
        });
    }

    private Attempt granted(ZkSession session, Grant given) {
        return new Attempt.Granted(given, new Liveness.Session() {
            @Override
            public long validUntilNanos() {
                return session.validUntilNanos();
            }

            @Override
            public Duration timeout() {
                return session.timeout();
            }

            @Override
            public CompletionStage<LossReason> lost() {
                return lost;
            }
        });
    }

    /** Its node, if it is known to stand on a session. */
    synchronized @Nullable Place place() {
        return place;
    }

    synchronized boolean isGranted() {
        return grant != null;
    }

    /** Whether nothing of it can be on the server. */
    synchronized boolean isTraceless() {
        return place == null && !doubtful && (asking == null || asking.isDone());
    }

    /** Its node is gone: a holder is told, a waiter asks again and enters anew. */
    void vanish(LossReason reason) {
        PredecessorWatch hint;
        synchronized (this) {
            place = null;
            hint = watch;
        }
        if (isGranted()) {
            lost.complete(reason);
        } else if (hint != null) {
            hint.changed().complete(null);
        }
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
            if (watch != null) {
                watch.remove();
            }
        }
        if (mine != null) {
            return mine.session().delete(mine.path()).thenApply(deleted -> true);
        }
        if (last == null) {
            return CompletableFuture.completedFuture(true);
        }
        return last.handle((attempt, failure) -> {
            synchronized (this) {
                return place == null && !doubtful;
            }
        });
    }
}
