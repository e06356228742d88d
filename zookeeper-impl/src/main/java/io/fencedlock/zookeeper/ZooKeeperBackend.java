package io.fencedlock.zookeeper;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockException;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** A queue of ephemeral sequential znodes on one session per client. */
final class ZooKeeperBackend implements FencedLockBackend {

    private final ZkSettings settings;
    private final ZkPaths paths;
    private final Map<HolderId, Contender> contenders = new ConcurrentHashMap<>();
    private final Tokens tokens;
    private final Heartbeat heartbeat;
    private final ZkClient client;

    ZooKeeperBackend(ZkSettings settings) {
        this.settings = settings;
        paths = settings.paths();
        TokenBase base = new TokenBase(paths);
        tokens = new Tokens(settings.tokens(), base);
        heartbeat = new Heartbeat(paths, contenders, settings.clock());
        client = new ZkClient(
                settings,
                session -> {
                    heartbeat.start(session);
                    base.on(session);
                },
                this::sessionEnded);
    }

    /** For tests that harm it. */
    CompletableFuture<ZkSession> session() {
        return client.session();
    }

    /** Whoever held on it is told; whoever waited enters anew on the next one. */
    private void sessionEnded(ZkSession session) {
        contenders.forEach((holder, contender) -> {
            Contender.Place place = contender.place();
            if (place != null && place.session().equals(session)) {
                boolean held = contender.isGranted();
                contender.vanish(LossReason.SESSION_ENDED);
                if (held) {
                    contenders.remove(holder, contender);
                }
            }
        });
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        HolderId holder = request.holder();
        LockName name = request.name();
        Contender contender =
                contenders.computeIfAbsent(holder, id -> new Contender(paths, tokens, name, id, NodeData.of(name)));
        return named("acquire of lock " + name, session -> contender.ask(session, request))
                .whenComplete((attempt, failure) -> {
                    boolean over = failure != null || (attempt instanceof Attempt.Held && !request.waits());
                    if (over && contender.isTraceless()) {
                        contenders.remove(holder, contender);
                    }
                });
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        return named(
                "renewal of lock " + grant.name(),
                session -> session.set(path(grant), NodeData.of(grant.name()), -1)
                        .<Renewal>thenApply(stat -> new Renewal.Renewed(grant.leaseTime()))
                        .exceptionallyCompose(or(Code.NONODE, new Renewal.NotHeld())));
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        contenders.remove(grant.holder());
        return named("release of lock " + grant.name(), session -> delete(session, path(grant)));
    }

    private static String path(Grant grant) {
        return ((ZkRef) grant.ref()).path();
    }

    private static CompletableFuture<Release> delete(ZkSession session, String path) {
        return session.delete(path)
                .thenApply(deleted -> Release.RELEASED)
                .exceptionallyCompose(or(Code.NONODE, Release.NOT_HELD));
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        Contender contender = contenders.remove(holder);
        return named(
                        "undoing of an acquire of lock " + name,
                        session -> (contender == null ? CompletableFuture.completedFuture(false) : contender.abandon())
                                .exceptionallyCompose(or(Code.NONODE, true))
                                .thenCompose(done ->
                                        done ? CompletableFuture.completedFuture(true) : search(session, name, holder)))
                .thenAccept(done -> {});
    }

    /** Deletes every node of a holder whose path is not known. */
    private CompletableFuture<Boolean> search(ZkSession session, LockName name, HolderId holder) {
        String stripe = paths.stripe(name);
        return session.sync(stripe)
                .thenCompose(synced -> session.children(stripe))
                .thenCompose(children -> {
                    CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
                    for (String child : children) {
                        if (ZkPaths.isContender(child)
                                && ZkPaths.holderOf(child).equals(holder)) {
                            all = all.thenCombine(delete(session, stripe + "/" + child), (a, b) -> true);
                        }
                    }
                    return all;
                })
                .exceptionallyCompose(or(Code.NONODE, true));
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return named(
                "inspection of lock " + name,
                session -> first(session, name)
                        .thenCompose(rivals -> rivals.isEmpty()
                                ? CompletableFuture.completedFuture(Optional.<HolderInfo>empty())
                                : describe(session, paths.stripe(name) + "/" + rivals.get(0), rivals.size() - 1)));
    }

    private CompletableFuture<List<String>> first(ZkSession session, LockName name) {
        String stripe = paths.stripe(name);
        return session.children(stripe)
                .exceptionallyCompose(or(Code.NONODE, List.of()))
                .thenCompose(children -> Rivals.inOrder(session, name, stripe, children));
    }

    private CompletableFuture<Optional<HolderInfo>> describe(ZkSession session, String path, int waiters) {
        return session.read(path)
                .thenCompose(found -> tokens.of(session, path, found.stat().getCzxid())
                        .thenApply(token -> {
                            NodeData data = NodeData.parse(found.text());
                            return Optional.of(new HolderInfo(
                                    ZkPaths.holderOf(ZkPaths.child(path)),
                                    token,
                                    Optional.of(
                                            Instant.ofEpochMilli(found.stat().getCtime())),
                                    Optional.empty(),
                                    data.host(),
                                    data.pid(),
                                    OptionalInt.of(waiters)));
                        }))
                .exceptionallyCompose(or(Code.NONODE, Optional.<HolderInfo>empty()));
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return named(
                "forced release of lock " + name,
                session -> first(session, name).thenCompose(rivals -> {
                    if (rivals.isEmpty()) {
                        return CompletableFuture.completedFuture(Release.NOT_HELD);
                    }
                    String path = paths.stripe(name) + "/" + rivals.get(0);
                    return describe(session, path, 0)
                            .thenCompose(info -> info.isPresent() && info.get().token() == token
                                    ? delete(session, path)
                                    : CompletableFuture.completedFuture(Release.NOT_HELD));
                }));
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return named("raising of tokens", session -> tokens.raise(session, floor));
    }

    private <T> CompletableFuture<T> named(String what, Function<ZkSession, CompletableFuture<T>> request) {
        return client.session().thenCompose(request).exceptionallyCompose(failure -> {
            Throwable cause = failure;
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            FencedLockException told = cause instanceof FencedLockException known
                    ? known
                    : cause instanceof KeeperException error
                            ? ZkErrors.of(what, error)
                            : new OutcomeUnknownException(what + " failed: " + cause, cause);
            return CompletableFuture.failedFuture(told);
        });
    }

    /** An error that is an answer. */
    private static <T> Function<Throwable, CompletionStage<T>> or(Code code, T answer) {
        return failure -> ZkErrors.is(failure, code)
                ? CompletableFuture.completedFuture(answer)
                : CompletableFuture.failedFuture(failure);
    }

    @Override
    public BackendProfile profile() {
        return ZkProfile.of(settings);
    }

    @Override
    public void close() {
        heartbeat.stop();
        client.close();
        contenders.clear();
    }
}
