package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLockProvider;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.Lease;
import io.fencedlock.LockClock;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock on a real ZooKeeper server. */
class ZooKeeperLockTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String SESSION = "?lease=4s&command-timeout=1s";

    private static Server server;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private String prefix = "";

    @BeforeAll
    static void start() {
        server = Servers.start(Store.ZOOKEEPER, ServerOptions.defaults().throwAway());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @org.junit.jupiter.api.BeforeEach
    void ownPrefix(TestInfo info) {
        prefix = "/t" + Integer.toHexString(info.getDisplayName().hashCode()) + System.nanoTime();
    }

    @AfterEach
    void close() throws Exception {
        server.resume();
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T opened(T thing) {
        opened.add(0, thing);
        return thing;
    }

    private FencedLocks connect(String url, String options) {
        FencedLocks locks = opened(FencedLocks.connect(url + prefix + SESSION + options));
        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> locks.inspect("warm-up").isEmpty());
        return locks;
    }

    private FencedLocks connect() {
        return connect(server.url(), "");
    }

    private ZooKeeper raw() throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper handle = new ZooKeeper(
                server.address().getHostString() + ":" + server.address().getPort(),
                10_000,
                event -> connected.complete(null));
        opened(() -> handle.close());
        connected.get(10, TimeUnit.SECONDS);
        return handle;
    }

    @Test
    void tokens_growAcrossClientsAndLieInTheCommonSpace() throws Exception {
        FencedLocks one = connect();
        FencedLocks two = connect();
        long last = 0;
        for (int i = 0; i < 20; i++) {
            try (Lease lease = (i % 2 == 0 ? one : two).get("a").acquire()) {
                assertThat(lease.token()).isGreaterThan(last).isGreaterThan(1L << 50);
                last = lease.token();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zxid", "sequence"})
    void tokens_textbook(String source) throws Exception {
        FencedLocks locks = connect(server.url(), "&tokens=" + source);
        long first = locks.get("a").acquire().grant().token();
        assertThat(first).isPositive().isLessThan(1L << 40);
        if (source.equals("sequence")) {
            assertThat(first).isEqualTo(1);
        }
        assertThat(locks.profile().disclaims()).containsKey("TOK-6");
    }

    @Test
    void held_isEmptyQuicklyAndLeavesNoContender() throws Exception {
        FencedLocks one = connect();
        FencedLocks two = connect();
        Lease held = one.get("a").acquire();
        long begun = System.nanoTime();
        assertThat(two.get("a").tryAcquire(Duration.ofMillis(200))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1300));
        assertThat(two.get("a").tryAcquire()).isEmpty();
        await().atMost(SOON)
                .until(() -> one.inspect("a").orElseThrow().waiters().orElseThrow() == 0);
        assertThat(held.release()).isEqualTo(Release.RELEASED);
        assertThat(one.inspect("a")).isEmpty();
    }

    @Test
    void waiters_areServedInOrderOfArrival() throws Exception {
        FencedLocks one = connect();
        FencedLocks two = connect();
        Lease held = one.get("a").acquire();
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<Void>> served = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int number = i;
            FencedLock lock = (i % 2 == 0 ? two : one).get("a");
            served.add(lock.acquireAsync().thenAccept(lease -> {
                synchronized (order) {
                    order.add(number);
                }
                lease.close();
            }));
            await().atMost(SOON)
                    .until(() -> one.inspect("a").orElseThrow().waiters().orElseThrow() == number + 1);
        }
        held.close();
        CompletableFuture.allOf(served.toArray(CompletableFuture<?>[]::new)).get(10, TimeUnit.SECONDS);
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void inspect_tellsWhoHolds() throws Exception {
        FencedLocks locks = connect();
        assertThat(locks.inspect("a/ü")).isEmpty();
        Lease lease = locks.get("a/ü").acquire();
        HolderInfo info = locks.inspect("a/ü").orElseThrow();
        assertThat(info.token()).isEqualTo(lease.token());
        assertThat(info.holder()).isEqualTo(lease.grant().holder());
        assertThat(info.pid()).hasValue(ProcessHandle.current().pid());
        assertThat(info.since()).isPresent();
    }

    @Test
    void createReplyLost_theSameNodeIsAdopted() throws Exception {
        FaultProxy proxy = opened(FaultProxy.inFrontOf(server));
        FencedLocks locks = connect(proxy.url(), "");
        Lease before = locks.get("a").acquire();
        before.close();
        CompletableFuture<Void> lost = proxy.loseReplyAndCut(request -> request.contains("locks/"));
        Lease lease = locks.get("a").tryAcquire(Duration.ofSeconds(8)).orElseThrow();
        assertThat(lost).isDone();
        assertThat(lease.token()).isGreaterThan(before.token());
        assertThat(locks.inspect("a").orElseThrow().waiters()).hasValue(0);
        assertThat(locks.inspect("a").orElseThrow().token()).isEqualTo(lease.token());
    }

    @Test
    void serverPaused_isUnknownOrUnavailableInTime() throws Exception {
        FencedLocks locks = connect();
        locks.get("a").acquire().close();
        server.pause();
        long begun = System.nanoTime();
        assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOfAny(OutcomeUnknownException.class, BackendUnavailableException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1300));
        server.resume();
        FencedLocks other = connect();
        Lease next = other.get("a").tryAcquire(Duration.ofSeconds(10)).orElseThrow();
        next.close();
        await().atMost(SOON).until(() -> other.inspect("a").isEmpty());
    }

    @Test
    void nothingListens_isUnavailableInTime() {
        try (FencedLocks locks = FencedLocks.connect("zookeeper://127.0.0.1:1" + SESSION)) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(200)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:1");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1300));
        }
    }

    @Test
    void sessionEndedOnTheServer_isToldAndTheNextGetsIn() throws Exception {
        LockClock clock = LockClock.system();
        ZooKeeperBackend backend = new ZooKeeperBackend(settings(clock));
        FencedLocks one = opened(FencedLocks.configure().connect(backend, clock));
        FencedLocks two = connect();
        Lease lease = one.get("a").tryAcquire(SOON).orElseThrow();
        CompletableFuture<LossReason> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        end(backend.session().get(5, TimeUnit.SECONDS));
        Lease next = two.get("a").tryAcquire(Duration.ofSeconds(8)).orElseThrow();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo(LossReason.SESSION_ENDED);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(Release.NOT_HELD);
        assertThat(two.inspect("a").orElseThrow().token()).isEqualTo(next.token());
        next.close();
        assertThat(one.get("a").tryAcquire(SOON)).as("on a new session").isPresent();
    }

    @Test
    void waiterWhoseSessionEnded_isGrantedOnALiveOneOnly() throws Exception {
        LockClock clock = LockClock.system();
        ZooKeeperBackend backend = new ZooKeeperBackend(settings(clock));
        FencedLocks one = opened(FencedLocks.configure().connect(backend, clock));
        FencedLocks two = connect();
        Lease held = two.get("a").acquire();
        CompletableFuture<Lease> waiting = one.get("a").acquireAsync();
        await().atMost(SOON)
                .until(() -> two.inspect("a").orElseThrow().waiters().orElseThrow() == 1);
        end(backend.session().get(5, TimeUnit.SECONDS));
        held.close();
        Lease lease = waiting.get(10, TimeUnit.SECONDS);
        long owner = raw().exists(((ZkRef) lease.grant().ref()).path(), false).getEphemeralOwner();
        assertThat(owner).isEqualTo(backend.session().get().id());
        assertThat(lease.isValid()).isTrue();
        assertThat(two.get("a").tryAcquire(Duration.ofSeconds(1))).isEmpty();
    }

    private ZkSettings settings(LockClock clock) {
        ZkSettings[] made = new ZkSettings[1];
        FencedLockProvider capture = new Capture(config -> made[0] = ZkSettings.of(config));
        FencedLocks.configure()
                .provider(capture)
                .url(server.url() + prefix + SESSION)
                .connect()
                .close();
        ZkSettings read = made[0];
        return new ZkSettings(
                read.connect(),
                read.paths(),
                read.session(),
                read.strictSession(),
                read.commandTimeout(),
                read.tokens(),
                read.digest(),
                read.driver(),
                clock);
    }

    /** As only the server can: the session's second connection closes it. */
    private static void end(ZkSession session) throws Exception {
        ZooKeeper handle = session.handle();
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper second = new ZooKeeper(
                server.address().getHostString() + ":" + server.address().getPort(),
                handle.getSessionTimeout(),
                event -> connected.complete(null),
                handle.getSessionId(),
                handle.getSessionPasswd());
        connected.get(10, TimeUnit.SECONDS);
        second.close();
    }

    @Test
    void nodeDeletedByHand_isToldWithinTheInterval() throws Exception {
        FencedLocks locks = connect();
        Lease lease = locks.get("a").acquire();
        raw().delete(((ZkRef) lease.grant().ref()).path(), -1);
        assertThat(lease.lost().toCompletableFuture().get(5, TimeUnit.SECONDS)).isEqualTo(LossReason.NOT_HELD);
    }

    @Test
    void parentDeletedByHand_tokensGoOn() throws Exception {
        FencedLocks locks = connect();
        Lease lease = locks.get("a").acquire();
        lease.close();
        raw().delete(ZkPaths.parent(((ZkRef) lease.grant().ref()).path()), -1);
        try (Lease next = locks.get("a").acquire()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    void unclaimedNode_isDeletedByTheHeartbeat() throws Exception {
        LockClock clock = LockClock.system();
        ZooKeeperBackend backend = new ZooKeeperBackend(settings(clock));
        FencedLocks one = opened(FencedLocks.configure().connect(backend, clock));
        Lease lease = one.get("b").tryAcquire(SOON).orElseThrow();
        ZkSession session = backend.session().get();
        HolderId ghost = HolderId.random();
        LockName name = new LockName("a");
        Parents.create(
                        session,
                        settings(clock).paths().contender(name, ghost),
                        NodeData.of(name),
                        CreateMode.EPHEMERAL_SEQUENTIAL)
                .get(5, TimeUnit.SECONDS);
        assertThat(one.inspect("a").orElseThrow().holder()).isEqualTo(ghost);
        await().atMost(SOON).until(() -> one.inspect("a").isEmpty());
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void raisedTokens_areAbove() throws Exception {
        FencedLocks one = connect();
        FencedLocks two = connect();
        long before = two.get("a").acquire().token();
        one.raiseTokens(before + 1_000_000);
        assertThat(two.get("b").acquire().token()).isGreaterThan(before + 1_000_000);
    }

    @Test
    void forceRelease_onlyTheObservedToken() throws Exception {
        FencedLocks locks = connect();
        Lease lease = locks.get("a").acquire();
        assertThat(locks.forceRelease("a", lease.token() - 1)).isEqualTo(Release.NOT_HELD);
        assertThat(locks.forceRelease("a", lease.token())).isEqualTo(Release.RELEASED);
        assertThat(locks.get("a").tryAcquire()).isPresent();
    }

    @Test
    void close_freesTheLockAndEndsTheThreads() throws Exception {
        FencedLocks one = connect();
        FencedLocks two = connect();
        one.get("a").acquire();
        CompletableFuture<Optional<Lease>> waiting = one.get("b").tryAcquireAsync(Duration.ofSeconds(30));
        one.close();
        assertThat(waiting).failsWithin(SOON);
        assertThat(two.get("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
        assertThatThrownBy(() -> one.get("a").tryAcquire()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tooShortASession_isRefused() {
        assertThatThrownBy(() -> FencedLocks.connect("zookeeper://h:1?lease=999ms"))
                .hasMessageContaining("at least 1000 ms, found 999 ms");
    }
}
