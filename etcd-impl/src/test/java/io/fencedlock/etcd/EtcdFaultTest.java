package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LossReason;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lost answers, broken connections, paused and restarted servers: nothing is granted twice, nobody hangs, nothing is left. */
@SuppressWarnings("try") // some leases are only held
class EtcdFaultTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static Server server;
    private static EtcdProbe probe;

    private FaultProxy proxy;
    private String prefix;
    /** Through the proxy. */
    private FencedLocks locks;
    /** Past it. */
    private FencedLocks direct;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.ETCD, ServerOptions.defaults().throwAway());
        probe = new EtcdProbe(server);
    }

    @AfterAll
    static void stop() {
        probe.close();
        server.close();
    }

    @BeforeEach
    void connect() throws Exception {
        prefix = "p" + System.nanoTime();
        proxy = FaultProxy.inFrontOf(server);
        locks = FencedLocks.connect(proxy.url() + options());
        direct = FencedLocks.connect(server.url() + options());
        warm(locks);
        warm(direct);
    }

    private String options() {
        return "/" + prefix + "?lease=6s&command-timeout=1s";
    }

    /** Its lease is far longer than the server is away, on a slow machine as well. */
    private FencedLocks patient() throws Exception {
        FencedLocks client = FencedLocks.connect(proxy.url() + "/" + prefix + "?lease=30s&command-timeout=1s");
        warm(client);
        return client;
    }

    /** Class loading and the etcd lease are not what is measured here. */
    private static void warm(FencedLocks client) throws Exception {
        client.get("warm").tryAcquire(Duration.ofSeconds(30)).orElseThrow().close();
    }

    @AfterEach
    void disconnect() {
        server.resume();
        proxy.heal();
        locks.close();
        direct.close();
        proxy.close();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(probe.entries(prefix)).isEmpty());
    }

    private void entriesBecome(int number) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(probe.entries(prefix)).hasSize(number));
    }

    @Test
    void tok8_lostReplyOfAnAcquireYieldsTheOneGrant() throws Exception {
        CompletableFuture<Void> lost = proxy.loseReplyAndCut(bytes -> bytes.contains("locks/e12/"));

        Lease lease = locks.get("e12").tryAcquire(SOON).orElseThrow();

        assertThat(lost).isDone();
        assertThat(probe.entries(prefix)).hasSize(1);
        assertThat(direct.inspect("e12").orElseThrow().token()).isEqualTo(lease.token());
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
    }

    @Test
    void wai2_singleTryWithALostReplySaysUnknownAndIsUndone() {
        proxy.loseReplyAndCut(bytes -> bytes.contains("locks/e12/"));

        assertThatThrownBy(() -> locks.get("e12").tryAcquire())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("etcd at 127.0.0.1");

        entriesBecome(0);
    }

    @Test
    void rel2_lostReplyOfAReleaseIsUnknownAndTouchesNobodyLater() throws Exception {
        Lease first = locks.get("e3").acquire();
        proxy.loseReplyAndCut(bytes -> bytes.contains("locks/e3/"));

        assertThat(first.release()).isEqualTo(Release.UNKNOWN);

        try (Lease second = direct.get("e3").tryAcquire(SOON).orElseThrow()) {
            assertThat(second.token()).isGreaterThan(first.token());
            entriesBecome(1);
            assertThat(second.isValid()).isTrue();
        }
    }

    @Test
    void wai3_releaseWhileTheWaiterIsCutOffIsNoticedAfterwards() throws Exception {
        Lease held = direct.get("e8").acquire();
        CompletableFuture<Lease> waiting = locks.get("e8").acquireAsync();
        entriesBecome(2);

        proxy.refuse();
        held.close();
        proxy.heal();

        waiting.get(20, TimeUnit.SECONDS).close();
    }

    @Test
    void wai3_waiterWhoseConnectionIsDeadWithoutItsKnowledgeGetsIn() throws Exception {
        Lease held = direct.get("e8").acquire();
        CompletableFuture<Lease> waiting = locks.get("e8").acquireAsync();
        entriesBecome(2);

        proxy.halfOpen(FaultProxy.Side.CLIENT);
        held.close();

        waiting.get(20, TimeUnit.SECONDS).close();
    }

    @Test
    void lea4_serverThatPausesForLessThanTheLeaseLosesNothing() throws Exception {
        try (FencedLocks patient = patient();
                Lease lease = patient.get("e5").acquire()) {
            server.pause();
            assertThatThrownBy(() -> lease.lost().toCompletableFuture().get(2500, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            server.resume();

            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(20)));
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void los1_holderIsToldInTimeWhenTheServerIsAwayForLonger() throws Exception {
        Lease lease = locks.get("los").acquire();
        Duration left = lease.remaining();
        long began = System.nanoTime();
        server.pause();

        LossReason reason = lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);

        assertThat(reason).isIn(LossReason.EXPIRED, LossReason.SESSION_ENDED);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(left.plus(Duration.ofSeconds(4)));
        assertThat(lease.isValid()).isFalse();
        server.resume();
        try (Lease next = locks.get("los").tryAcquire(Duration.ofSeconds(30)).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    void lea4_leaseOutlivesAServerThatIsKilledAndRestarted() throws Exception {
        try (FencedLocks patient = patient();
                Lease lease = patient.get("e7").acquire()) {
            server.restart(Data.KEEP);

            try (Lease other = locks.get("other").tryAcquire(SOON).orElseThrow()) {
                assertThat(other.token()).isGreaterThan(lease.token());
            }
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(20)));
            assertThat(lease.release()).isEqualTo(Release.RELEASED);
        }
    }

    @Test
    void tok6_tokensGrowThoughTheServerLostItsData() throws Exception {
        Lease before = direct.get("wiped").acquire();

        server.restart(Data.WIPE);

        try (Lease after =
                direct.get("wiped").tryAcquire(Duration.ofSeconds(30)).orElseThrow()) {
            assertThat(after.token()).isGreaterThan(before.token());
            assertThat(before.isValid()).isFalse();
        }
    }

    @Test
    void cli4_nothingListensIsSaidAtOnceAndAServerThatIsBackIsFound() throws Exception {
        proxy.refuse();
        long began = System.nanoTime();
        assertThatThrownBy(() -> locks.get("e9").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOfAny(BackendUnavailableException.class, OutcomeUnknownException.class)
                .hasMessageContaining("etcd at 127.0.0.1:" + proxy.address().getPort());
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));

        assertThatThrownBy(() -> locks.get("e9").tryAcquire())
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("refused");

        proxy.heal();
        try (Lease lease = locks.get("e9").tryAcquire(SOON).orElseThrow()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void wai1_pausedServerIsToldFromAHeldLockInTime() throws Exception {
        try (Lease held = direct.get("held").acquire()) {
            long began = System.nanoTime();
            assertThat(locks.get("held").tryAcquire(Duration.ofMillis(200))).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        }
        server.pause();
        long began = System.nanoTime();
        assertThatThrownBy(() -> locks.get("e9").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOfAny(BackendUnavailableException.class, OutcomeUnknownException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void flt_acquireThatArrivesAfterItWasGivenUpLeavesNoGhost() throws Exception {
        Duration renewalInterval = Duration.ofSeconds(2);
        int tries = "full".equals(System.getProperty("fencedlock.profile")) ? 50 : 4;
        for (int i = 0; i < tries; i++) {
            String name = "ghost" + i;
            server.pause();
            assertThatThrownBy(() -> locks.get(name).tryAcquire(Duration.ofMillis(50)))
                    .isInstanceOfAny(BackendUnavailableException.class, OutcomeUnknownException.class);
            server.resume();

            await().atMost(renewalInterval.plusSeconds(3))
                    .untilAsserted(() -> assertThat(probe.entries(prefix)).isEmpty());
            direct.get(name).tryAcquire(SOON).orElseThrow().close();
        }
    }

    @Test
    void los1_deletedEntryIsToldWithinARenewalInterval() throws Exception {
        Lease lease = locks.get("e14").acquire();
        probe.delete(probe.entries(prefix).get(0));

        assertThat(lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo(LossReason.NOT_HELD);
    }

    @Test
    void renewal_ofADeletedEntryIsALoss() throws Exception {
        Lease lease = locks.get("e14").acquire();
        lease.renew();
        probe.delete(probe.entries(prefix).get(0));

        assertThatThrownBy(lease::renew).hasMessageContaining("lost");
        assertThat(probe.entries(prefix)).isEmpty();
    }

    @Test
    void los1_revokedEtcdLeaseIsToldAndANewOneIsMade() throws Exception {
        Lease lease = locks.get("rev").acquire();
        probe.client().revoke(probe.etcdLeaseOf(probe.entries(prefix).get(0))).join();

        assertThat(lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo(LossReason.SESSION_ENDED);
        try (Lease next = locks.get("rev").tryAcquire(SOON).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    void flt_waiterWhoseEtcdLeaseEndedEntersAnew() throws Exception {
        Lease held = direct.get("e2").acquire();
        String holders = probe.entries(prefix).get(0);
        CompletableFuture<Lease> waiting = locks.get("e2").acquireAsync();
        entriesBecome(2);
        String waiters = probe.entries(prefix).stream()
                .filter(key -> !key.equals(holders))
                .findFirst()
                .orElseThrow();
        long revoked = probe.etcdLeaseOf(waiters);
        probe.client().revoke(revoked).join();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(probe.entries(prefix)).hasSize(2));
        assertThat(probe.etcdLeaseOf(waiters)).isNotEqualTo(revoked);
        held.close();

        try (Lease next = waiting.get(20, TimeUnit.SECONDS)) {
            assertThat(probe.entries(prefix)).containsExactly(waiters);
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    void wai1_slowLineDelaysButHarmsNothing() throws Exception {
        proxy.set(Fault.delay(Duration.ofMillis(60)));
        for (int i = 0; i < 5; i++) {
            locks.get("slow").acquire().close();
        }
        assertThat(probe.entries(prefix)).isEmpty();
    }

    @Test
    void endpoints_deadOneIsPassedOver() throws Exception {
        String dead = "127.0.0.1:" + unused() + ",127.0.0.1:" + unused();
        for (int i = 0; i < 4; i++) {
            try (FencedLocks many = FencedLocks.connect("etcd://" + dead + ",127.0.0.1:"
                            + server.address().getPort() + "/" + prefix + "?lease=20s&command-timeout=5s");
                    Lease lease = many.get("many").tryAcquire().orElseThrow()) {
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    private static int unused() throws Exception {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void cli1_closeIsBoundedFreesLocksAndLeavesNoThread() throws Exception {
        FencedLocks closing = FencedLocks.connect(server.url() + options());
        closing.get("c").acquire();
        CompletableFuture<Lease> waiting = closing.get("c").acquireAsync();
        entriesBecome(2);
        long began = System.nanoTime();

        closing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        await().atMost(SOON).untilAsserted(() -> assertThat(waiting).isCompletedExceptionally());
        entriesBecome(0);
    }

    @Test
    void cli1_closeIsBoundedThoughTheServerIsPaused() throws Exception {
        FencedLocks closing = FencedLocks.connect(server.url() + "/" + prefix + "?lease=3s&command-timeout=1s");
        warm(closing);
        closing.get("c").acquire();
        server.pause();
        long began = System.nanoTime();

        closing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }
}
