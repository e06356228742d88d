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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
        tokens = new Tokens(settings.tokens(), new TokenBase(settings));
        heartbeat = new Heartbeat(settings, contenders);
        client = new ZkClient(settings, heartbeat::start, heartbeat::beat, this::sessionEnded);
    }

    /** For tests that harm it. */
    CompletableFuture<ZkSession> session() {
        return client.session();
    }

    /** Whoever held on it is told; whoever waited enters anew on the next one. */
    private void sessionEnded(ZkSession session) {
        contenders.forEach((holder, contender) -> {
            Place place = contender.place();
            if (place != null && place.session().equals(session) && contender.vanish(place, LossReason.SESSION_ENDED)) {
                contenders.remove(holder, contender);
            }
        });
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        LockName name = request.name();
        Contender contender = contenders.computeIfAbsent(
                request.holder(), holder -> new Contender(settings, tokens, name, holder, heartbeat::suspect));
        return named(
                        "acquire of lock " + name,
                        session -> tokens.lift(session, () -> heartbeat.write(session))
                                .thenCompose(onItsWay -> contender.ask(session, request)))
                .handle((attempt, failure) -> {
                    boolean over = failure != null || (attempt instanceof Attempt.Held && !request.waits());
                    if (over && contender.isTraceless()) {
                        contenders.remove(request.holder(), contender);
                    }
                    return failure == null ? attempt : failed(contender, failure);
                });
    }

    /** A request that failed without effect is no undoing of an earlier one, whose node stands. */
    private static Attempt failed(Contender contender, Throwable failure) {
        FencedLockException told = ZkErrors.of("acquire", failure);
        boolean complete = told instanceof OutcomeUnknownException || contender.isTraceless();
        throw complete ? told : new OutcomeUnknownException(String.valueOf(told.getMessage()), told);
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        return named(
                "renewal of lock " + grant.name(),
                session -> session.check(ref(grant).path())
                        .<Renewal>thenApply(stands -> new Renewal.Renewed(grant.leaseTime()))
                        .exceptionallyCompose(ZkErrors.answer(Code.NONODE, new Renewal.NotHeld())));
    }

    /**
     * Signed where others contend: who sees it knows that it is the next one, and need not look. The contender is forgotten when its node is gone: the
     * heartbeat would take the node for one that nobody claims.
     */
    @Override
    public CompletionStage<Release> release(Grant grant) {
        return named(
                        "release of lock " + grant.name(),
                        session -> released(deletion(session, ref(grant).path())))
                .whenComplete((release, failure) -> {
                    contenders.remove(grant.holder());
                    if (failure != null) {
                        heartbeat.suspect();
                    }
                });
    }

    private static ZkRef ref(Grant grant) {
        return (ZkRef) grant.ref();
    }

    private static CompletableFuture<Void> deletion(ZkSession session, String path) {
        return session.isCrowded(ZkPaths.parent(path)) ? session.signAndDelete(path) : session.delete(path);
    }

    private static CompletableFuture<Release> delete(ZkSession session, String path) {
        return released(session.delete(path));
    }

    private static CompletableFuture<Release> released(CompletableFuture<Void> deletion) {
        return deletion.thenApply(deleted -> Release.RELEASED)
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Release.NOT_HELD));
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        Contender contender = contenders.remove(holder);
        CompletableFuture<Boolean> known =
                contender == null ? CompletableFuture.completedFuture(false) : contender.abandon();
        return named(
                        "undoing of an acquire of lock " + name,
                        session -> known.thenCompose(
                                done -> done ? CompletableFuture.completedFuture(true) : search(session, name, holder)))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        heartbeat.suspect();
                    }
                })
                .thenAccept(done -> {});
    }

    /** Deletes every node of a holder whose path is not known. */
    private CompletableFuture<Boolean> search(ZkSession session, LockName name, HolderId holder) {
        Adoption ours = new Adoption(paths, name, holder);
        return ours.nodes(session).thenCompose(children -> {
            CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
            for (String child : children) {
                all = all.thenCombine(delete(session, paths.stripe(name) + "/" + child), (a, b) -> true);
            }
            return all;
        });
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
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, List.of()))
                .thenCompose(children -> Rivals.inOrder(session, name, stripe, children));
    }

    private CompletableFuture<Optional<HolderInfo>> describe(ZkSession session, String path, int waiters) {
        return session.read(path)
                .thenApply(found -> {
                    NodeData data = NodeData.parse(found.text());
                    return Optional.of(new HolderInfo(
                            ZkPaths.holderOf(ZkPaths.child(path)),
                            tokens.of(path, found.stat().getCzxid(), data.base()),
                            Optional.of(Instant.ofEpochMilli(found.stat().getCtime())),
                            Optional.empty(),
                            data.host(),
                            data.pid(),
                            OptionalInt.of(waiters)));
                })
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Optional.<HolderInfo>empty()));
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
        return client.session()
                .thenCompose(request)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(ZkErrors.of(what, failure)));
    }

    /** For a test that shows what the heartbeat is for. */
    void stopHeartbeat() {
        heartbeat.stop();
    }

    @Override
    public BackendProfile profile() {
        return ZkProfile.of(settings, client.grantedTime());
    }

    @Override
    public void close() {
        heartbeat.stop();
        client.close();
        contenders.clear();
    }
}
