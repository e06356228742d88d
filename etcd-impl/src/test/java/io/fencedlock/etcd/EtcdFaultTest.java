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
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lost answers, broken connections, paused and restarted servers: nothing is granted twice, nobody hangs, nothing is left. */
@SuppressWarnings("try") // some leases are only held
class EtcdFaultTest {

    @RegisterExtension
    static final Rig RIG = Rig.own();

    private static final String OPTIONS = "lease=6s&command-timeout=1s";

    private FaultProxy proxy;
    /** Through the proxy. */
    private FencedLocks locks;
    /** Past it. */
    private FencedLocks direct;

    @BeforeEach
    void connect() throws Exception {
        proxy = FaultProxy.inFrontOf(RIG.server());
        locks = RIG.connect(proxy.url(), OPTIONS);
        direct = RIG.connect(RIG.server().url(), OPTIONS);
        warm(locks);
        warm(direct);
    }

    /** Its lease is far longer than the server is away, on a slow machine as well. */
    private FencedLocks patient() throws Exception {
        FencedLocks client = RIG.connect(proxy.url(), "lease=30s&command-timeout=1s");
        warm(client);
        return client;
    }

    /** Class loading and the etcd lease are not what is measured here. */
    private static void warm(FencedLocks client) throws Exception {
        client.get("warm").tryAcquire(Duration.ofSeconds(30)).orElseThrow().close();
    }

    @AfterEach
    void disconnect() {
        RIG.server().resume();
        proxy.heal();
        locks.close();
        direct.close();
        proxy.close();
    }

    @Test
    void tok8_lostReplyOfAnAcquireYieldsTheOneGrant() throws Exception {
        CompletableFuture<Void> lost = proxy.loseReplyAndCut(bytes -> bytes.contains("locks/e12/"));

        Lease lease = locks.get("e12").tryAcquire(Rig.SOON).orElseThrow();

        assertThat(lost).isDone();
        assertThat(RIG.entries()).hasSize(1);
        assertThat(direct.inspect("e12").orElseThrow().token()).isEqualTo(lease.token());
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
    }

    @Test
    void wai2_singleTryWithALostReplySaysUnknownAndIsUndone() {
        proxy.loseReplyAndCut(bytes -> bytes.contains("locks/e12/"));

        assertThatThrownBy(() -> locks.get("e12").tryAcquire())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("etcd at 127.0.0.1");

        RIG.entriesBecome(0);
    }

    @Test
    void rel2_lostReplyOfAReleaseIsUnknownAndTouchesNobodyLater() throws Exception {
        Lease first = locks.get("e3").acquire();
        proxy.loseReplyAndCut(bytes -> bytes.contains("locks/e3/"));

        assertThat(first.release()).isEqualTo(Release.UNKNOWN);

        try (Lease second = direct.get("e3").tryAcquire(Rig.SOON).orElseThrow()) {
            assertThat(second.token()).isGreaterThan(first.token());
            RIG.entriesBecome(1);
            assertThat(second.isValid()).isTrue();
        }
    }

    @Test
    void wai3_releaseWhileTheWaiterIsCutOffIsNoticedAfterwards() throws Exception {
        Lease held = direct.get("e8").acquire();
        CompletableFuture<Lease> waiting = locks.get("e8").acquireAsync();
        RIG.entriesBecome(2);

        proxy.refuse();
        held.close();
        proxy.heal();

        waiting.get(20, TimeUnit.SECONDS).close();
    }

    @Test
    void wai3_waiterWhoseConnectionIsDeadWithoutItsKnowledgeGetsIn() throws Exception {
        Lease held = direct.get("e8").acquire();
        CompletableFuture<Lease> waiting = locks.get("e8").acquireAsync();
        RIG.entriesBecome(2);

        proxy.halfOpen(FaultProxy.Side.CLIENT);
        held.close();

        waiting.get(20, TimeUnit.SECONDS).close();
    }

    @Test
    void lea4_serverThatPausesForLessThanTheLeaseLosesNothing() throws Exception {
        try (FencedLocks patient = patient();
                Lease lease = patient.get("e5").acquire()) {
            RIG.server().pause();
            assertThatThrownBy(() -> lease.lost().toCompletableFuture().get(2500, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            RIG.server().resume();

            await().atMost(Rig.SOON)
                    .untilAsserted(() -> assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(20)));
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void los1_holderIsToldInTimeWhenTheServerIsAwayForLonger() throws Exception {
        Lease lease = locks.get("los").acquire();
        Duration left = lease.remaining();
        long began = System.nanoTime();
        RIG.server().pause();

        LossReason reason = lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);

        assertThat(reason).isIn(LossReason.EXPIRED, LossReason.SESSION_ENDED);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(left.plus(Duration.ofSeconds(4)));
        assertThat(lease.isValid()).isFalse();
        RIG.server().resume();
        try (Lease next = locks.get("los").tryAcquire(Duration.ofSeconds(30)).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    void lea4_leaseOutlivesAServerThatIsKilledAndRestarted() throws Exception {
        try (FencedLocks patient = patient();
                Lease lease = patient.get("e7").acquire()) {
            RIG.server().restart(Data.KEEP);

            try (Lease other = locks.get("other").tryAcquire(Rig.SOON).orElseThrow()) {
                assertThat(other.token()).isGreaterThan(lease.token());
            }
            await().atMost(Rig.SOON)
                    .untilAsserted(() -> assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(20)));
            assertThat(lease.release()).isEqualTo(Release.RELEASED);
        }
    }

    @Test
    void tok6_tokensGrowThoughTheServerLostItsData() throws Exception {
        Lease before = direct.get("wiped").acquire();

        RIG.server().restart(Data.WIPE);

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
        try (Lease lease = locks.get("e9").tryAcquire(Rig.SOON).orElseThrow()) {
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
        RIG.server().pause();
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
            RIG.server().pause();
            assertThatThrownBy(() -> locks.get(name).tryAcquire(Duration.ofMillis(50)))
                    .isInstanceOfAny(BackendUnavailableException.class, OutcomeUnknownException.class);
            RIG.server().resume();

            await().atMost(renewalInterval.plusSeconds(3))
                    .untilAsserted(() -> assertThat(RIG.entries()).isEmpty());
            direct.get(name).tryAcquire(Rig.SOON).orElseThrow().close();
        }
    }

    @Test
    void los1_deletedEntryIsToldWithinARenewalInterval() throws Exception {
        Lease lease = locks.get("e14").acquire();
        RIG.probe().delete(RIG.entries().get(0));

        assertThat(lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo(LossReason.NOT_HELD);
    }

    @Test
    void renewal_ofADeletedEntryIsALoss() throws Exception {
        Lease lease = locks.get("e14").acquire();
        lease.renew();
        RIG.probe().delete(RIG.entries().get(0));

        assertThatThrownBy(lease::renew).hasMessageContaining("lost");
        assertThat(RIG.entries()).isEmpty();
    }

    @Test
    void los1_revokedEtcdLeaseIsToldAndANewOneIsMade() throws Exception {
        Lease lease = locks.get("rev").acquire();
        RIG.probe()
                .client()
                .revoke(RIG.probe().etcdLeaseOf(RIG.entries().get(0)))
                .join();

        assertThat(lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo(LossReason.SESSION_ENDED);
        try (Lease next = locks.get("rev").tryAcquire(Rig.SOON).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    @Test
    void flt_waiterWhoseEtcdLeaseEndedEntersAnew() throws Exception {
        Lease held = direct.get("e2").acquire();
        String holders = RIG.entries().get(0);
        CompletableFuture<Lease> waiting = locks.get("e2").acquireAsync();
        RIG.entriesBecome(2);
        String waiters = RIG.entries().stream()
                .filter(key -> !key.equals(holders))
                .findFirst()
                .orElseThrow();
        long revoked = RIG.probe().etcdLeaseOf(waiters);
        RIG.probe().client().revoke(revoked).join();

        RIG.entriesBecome(2);
        assertThat(RIG.probe().etcdLeaseOf(waiters)).isNotEqualTo(revoked);
        held.close();

        try (Lease next = waiting.get(20, TimeUnit.SECONDS)) {
            assertThat(RIG.entries()).containsExactly(waiters);
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    void wai1_slowLineDelaysButHarmsNothing() throws Exception {
        proxy.set(Fault.delay(Duration.ofMillis(60)));
        for (int i = 0; i < 5; i++) {
            locks.get("slow").acquire().close();
        }
        assertThat(RIG.entries()).isEmpty();
    }

    @Test
    void endpoints_deadOneIsPassedOver() throws Exception {
        String dead = "127.0.0.1:" + unused() + ",127.0.0.1:" + unused();
        for (int i = 0; i < 4; i++) {
            try (FencedLocks many = RIG.connect(
                            "etcd://" + dead + ",127.0.0.1:"
                                    + RIG.server().address().getPort(),
                            "lease=20s&command-timeout=5s");
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
        FencedLocks closing = RIG.connect(RIG.server().url(), OPTIONS);
        closing.get("c").acquire();
        CompletableFuture<Lease> waiting = closing.get("c").acquireAsync();
        RIG.entriesBecome(2);
        long began = System.nanoTime();

        closing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        await().atMost(Rig.SOON).untilAsserted(() -> assertThat(waiting).isCompletedExceptionally());
        RIG.entriesBecome(0);
    }

    @Test
    void cli1_closeIsBoundedThoughTheServerIsPaused() throws Exception {
        FencedLocks closing = RIG.connect(RIG.server().url(), "lease=3s&command-timeout=1s");
        warm(closing);
        closing.get("c").acquire();
        RIG.server().pause();
        long began = System.nanoTime();

        closing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }
}
