package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.LEASE;
import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.ask;
import static io.fencedlock.redis.Kit.askWaiting;
import static io.fencedlock.redis.Kit.get;
import static io.fencedlock.redis.Kit.granted;
import static io.fencedlock.redis.Kit.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What breaks other locks on Redis, on a real server behind a line that can be broken. */
class RedisFaultTest {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private static Server server;

    private Kit.Admin admin;
    private FaultProxy proxy;
    private Kit.Opened opened;
    private FencedLockBackend backend;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() throws Exception {
        admin = new Kit.Admin(server.url());
        admin.redis().flushall();
        proxy = FaultProxy.inFrontOf(server);
        opened = Kit.open(proxy.url() + "?command-timeout=500ms");
        backend = opened.backend();
        Awaitility.await()
                .atMost(WAIT)
                .ignoreExceptions()
                .until(() -> get(backend.release(acquire(backend, "warm"))) == Release.RELEASED);
    }

    @AfterEach
    void close() {
        opened.close();
        proxy.close();
        admin.close();
    }

    private static Predicate<String> acquireOf(HolderId holder) {
        return request -> request.contains("EVALSHA") && request.contains(holder.value());
    }

    @Test
    void tok8_lostReplyOfAnAcquireIsUnknownAndRepeatable() throws Exception {
        HolderId holder = HolderId.random();
        proxy.loseReplyAndCut(acquireOf(holder));

        assertThatThrownBy(() -> acquire(backend, "a", holder, LEASE)).isInstanceOf(OutcomeUnknownException.class);
        long token = Awaitility.await()
                .atMost(WAIT)
                .ignoreExceptionsInstanceOf(BackendUnavailableException.class)
                .until(
                        () -> get(backend.inspect(new LockName("a")))
                                .orElseThrow()
                                .token(),
                        answer -> true);

        Grant grant = granted(repeat(holder)).grant();
        assertThat(grant.token()).isEqualTo(token);
        assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
    }

    @Test
    void wai2_lateRequestOfAnAbandonedHolderGrantsNothing() throws Exception {
        HolderId holder = HolderId.random();
        proxy.set(FaultProxy.Direction.TO_SERVER, Fault.stall());
        assertThatThrownBy(() -> acquire(backend, "a", holder, LEASE)).isInstanceOf(OutcomeUnknownException.class);

        // The connection is given up and another one made: abandon overtakes what is stalled on the old one.
        try (Kit.Opened direct = Kit.open(server.url())) {
            RedisKeys keys = new RedisKeys("fencedlock:");
            String tombstone = keys.of(new LockName("a"), holder)[2];
            CompletableFuture<Void> abandoned = untilDone(holder, tombstone);
            proxy.heal();
            abandoned.get(20, TimeUnit.SECONDS);

            assertThat(get(direct.backend().inspect(new LockName("a")))).isEmpty();
            assertThat(admin.redis().exists(tombstone)).isEqualTo(1);
            assertThat(admin.redis().pttl(tombstone)).isBetween(1L, 60_000L);
            assertThatThrownBy(() -> acquire(direct.backend(), "a", holder, LEASE))
                    .isInstanceOf(BackendUnavailableException.class);
            get(direct.backend().release(acquire(direct.backend(), "a")));
        }
    }

    /** As the engine does: abandons again and again until it is confirmed. */
    private CompletableFuture<Void> untilDone(HolderId holder, String tombstone) {
        return CompletableFuture.runAsync(() -> Awaitility.await().atMost(WAIT).until(() -> {
            try {
                get(backend.abandon(new LockName("a"), holder));
                return admin.redis().exists(tombstone) == 1;
            } catch (Exception e) {
                return false;
            }
        }));
    }

    @Test
    void lostReplyOfAnAcquireIsUndoneByTheEngine() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(proxy.url() + "?command-timeout=500ms")) {
            FencedLock lock = locks.get("a");
            lock.acquire().close();
            proxy.loseReply(request -> request.contains("EVALSHA"));

            assertThatThrownBy(lock::tryAcquire).isInstanceOf(OutcomeUnknownException.class);
            try (FencedLocks other = FencedLocks.connect(server.url())) {
                long start = System.nanoTime();
                try (Lease lease = other.get("a").tryAcquire(WAIT).orElseThrow()) {
                    assertThat(lease.isValid()).isTrue();
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(12));
                }
            }
        }
    }

    @Test
    void rel2_lostReplyOfAReleaseIsUnknown() throws Exception {
        Grant grant = acquire(backend, "a");
        proxy.loseReplyAndCut(acquireOf(grant.holder()));

        assertThatThrownBy(() -> get(backend.release(grant))).isInstanceOf(OutcomeUnknownException.class);
        Release repeated = Awaitility.await()
                .atMost(WAIT)
                .ignoreExceptionsInstanceOf(BackendUnavailableException.class)
                .until(() -> get(backend.release(grant)), answer -> true);
        assertThat(repeated).isEqualTo(Release.NOT_HELD);
        assertThat(get(backend.inspect(new LockName("a")))).isEmpty();
    }

    @Test
    void wai3_messageThatIsLostCostsNoMoreThanTheRecheck() throws Exception {
        try (Kit.Opened direct = Kit.open(server.url())) {
            Grant first = acquire(direct.backend(), "a");
            HolderId waiter = HolderId.random();
            queue(backend, "a", waiter, LEASE);
            proxy.set(FaultProxy.Direction.TO_CLIENT, Fault.drop());
            get(direct.backend().release(first));
            assertThat(get(direct.backend().inspect(new LockName("a")))
                            .orElseThrow()
                            .holder())
                    .isEqualTo(waiter);
            proxy.cut();
            proxy.heal();

            Attempt.Granted granted = granted(repeat(waiter));
            assertThat(granted.grant().token()).isGreaterThan(first.token());
        }
    }

    /** Until the connections are back. */
    private Attempt repeat(HolderId holder) {
        return Awaitility.await()
                .atMost(WAIT)
                .ignoreExceptions()
                .until(() -> get(backend.acquire(askWaiting("a", holder, LEASE))), attempt -> true);
    }

    @Test
    void wai3_killedSubscriptionIsMadeAnewAndTheWaiterAsks() throws Exception {
        try (Kit.Opened direct = Kit.open(server.url())) {
            Grant first = acquire(direct.backend(), "a");
            HolderId waiter = HolderId.random();
            Attempt.Held held = queue(backend, "a", waiter, LEASE);
            admin.redis().clientKill(io.lettuce.core.KillArgs.Builder.typePubsub());
            get(direct.backend().release(first));

            get(held.changed());
            assertThat(granted(repeat(waiter)).grant().holder()).isEqualTo(waiter);
        }
    }

    @Test
    void wai3_killedConnectionsCostNoLock() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(server.url() + "?lease=6s")) {
            FencedLock lock = locks.get("a");
            try (Lease lease = lock.acquire()) {
                long end = System.nanoTime() + Duration.ofSeconds(8).toNanos();
                while (System.nanoTime() < end) {
                    admin.redis()
                            .clientKill(io.lettuce.core.KillArgs.Builder.typeNormal()
                                    .skipme());
                    Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
                    assertThat(admin.redis().keys("*lock:a")).hasSize(1);
                }
                lease.ensureValid();
            }
        }
    }

    @Test
    void cli4_nothingListensIsToldAtOnceAndHealsByItself() throws Exception {
        proxy.refuse();
        Awaitility.await()
                .atMost(WAIT)
                .untilAsserted(() -> assertThatThrownBy(() -> acquire(backend, "a"))
                        .isInstanceOf(BackendUnavailableException.class)
                        .hasMessageContaining("refused")
                        .hasMessageContaining(String.valueOf(proxy.address().getPort())));
        long start = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> acquire(backend, "a")).isInstanceOf(BackendUnavailableException.class);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));

        proxy.heal();
        long healed = System.nanoTime();
        Awaitility.await().atMost(WAIT).ignoreExceptions().until(() -> acquire(backend, "a") != null);
        assertThat(Duration.ofNanos(System.nanoTime() - healed)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void wai1_tryIsBoundedWhateverIsBroken() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(server.url())) {
            FencedLock lock = locks.get("a");
            lock.acquire().close();
            try (Lease held = locks.get("held").acquire()) {
                held.ensureValid();
                assertThat(timed(() -> assertThat(locks.get("held").tryAcquire(Duration.ofMillis(200)))
                                .isEmpty()))
                        .isLessThan(Duration.ofSeconds(3));
            }
            server.pause();
            try {
                assertThat(timed(() -> assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(200)))
                                .isInstanceOfAny(OutcomeUnknownException.class, BackendUnavailableException.class)))
                        .isLessThan(Duration.ofSeconds(4));
            } finally {
                server.resume();
            }
            Awaitility.await().atMost(WAIT).ignoreExceptions().until(() -> {
                Optional<Lease> lease = lock.tryAcquire(Duration.ofSeconds(2));
                lease.ifPresent(Lease::close);
                return lease.isPresent();
            });
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static Duration timed(Step step) throws Exception {
        long start = System.nanoTime();
        step.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void flt_acquireThatArrivesAfterItWasGivenUpLeavesNoGhost() throws Exception {
        Duration renewalInterval = Duration.ofSeconds(2);
        int tries = "full".equals(System.getProperty("fencedlock.profile")) ? 50 : 5;
        try (FencedLocks locks = FencedLocks.connect(server.url() + "?lease=6s&command-timeout=300ms")) {
            for (int i = 0; i < tries; i++) {
                String name = "ghost-" + i;
                Awaitility.await().atMost(WAIT).ignoreExceptions().until(() -> {
                    locks.get(name).acquire().close();
                    return true;
                });
                server.pause();
                try {
                    assertThatThrownBy(() -> locks.get(name).tryAcquire(Duration.ofMillis(50)))
                            .isInstanceOfAny(OutcomeUnknownException.class, BackendUnavailableException.class);
                } finally {
                    server.resume();
                }
                Awaitility.await()
                        .atMost(renewalInterval.plusSeconds(3))
                        .until(() -> admin.redis().keys("*lock:" + name).isEmpty());
            }
        }
    }

    @Test
    void tok6_tokenGrowsOverRestartsWithAndWithoutData() throws Exception {
        Grant first = acquire(backend, "a");
        server.restart(Data.KEEP);
        Grant kept =
                Awaitility.await().atMost(WAIT).ignoreExceptions().until(() -> acquire(backend, "b"), grant -> true);
        assertThat(get(backend.inspect(new LockName("a"))).orElseThrow().token())
                .isEqualTo(first.token());
        server.restart(Data.WIPE);
        Grant wiped =
                Awaitility.await().atMost(WAIT).ignoreExceptions().until(() -> acquire(backend, "a"), grant -> true);

        assertThat(wiped.token()).isGreaterThan(Math.max(first.token(), kept.token()));
    }

    @Test
    void los1_droppedEntryIsToldWithinOneRenewal() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(server.url() + "?lease=1500ms")) {
            Lease lease = locks.get("a").acquire();
            CompletableFuture<Object> told = new CompletableFuture<>();
            lease.onLost(told::complete);
            admin.redis().flushall();

            told.get(20, TimeUnit.SECONDS);
            assertThat(lease.isValid()).isFalse();
        }
    }

    @Test
    void backend_failsPendingCallsAtClose() throws Exception {
        proxy.set(Fault.stall());
        CompletableFuture<Attempt> pending =
                backend.acquire(ask("a", HolderId.random(), LEASE)).toCompletableFuture();
        assertThat(timed(backend::close)).isLessThan(Duration.ofSeconds(10));

        assertThatThrownBy(() -> pending.get(5, TimeUnit.SECONDS)).isNotNull();
        assertThat(pending).isCompletedExceptionally();
        assertThatThrownBy(() -> acquire(backend, "a"))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("closed");
    }
}
