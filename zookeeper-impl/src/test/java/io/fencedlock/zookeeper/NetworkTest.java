package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replies that get lost, servers that are away: every call ends in time, and nothing is left behind. */
class NetworkTest {

    /** One command timeout, and the time that the call may wait, which is 200 ms. */
    private static final Duration AT_MOST = Duration.ofMillis(1300);

    @RegisterExtension
    static final Rig rig = new Rig();

    private final FaultProxy proxy = rig.opened(FaultProxy.inFrontOf(rig.server()));

    /** Z12: three replies to creates are lost one after the other. */
    @Test
    void createRepliesLost_theFirstNodeIsAdopted() throws Exception {
        FencedLocks locks = rig.connect(proxy.url(), "");
        Lease before = locks.get("a").acquire();
        before.close();
        CompletableFuture<Optional<Lease>> acquiring = null;
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Void> lost = proxy.loseReplyAndCut(request -> request.contains("v1/locks/"));
            acquiring = acquiring == null ? locks.get("a").tryAcquireAsync(Duration.ofSeconds(60)) : acquiring;
            lost.get(20, TimeUnit.SECONDS);
        }
        Lease lease = acquiring.get(20, TimeUnit.SECONDS).orElseThrow();
        assertThat(lease.token()).isGreaterThan(before.token());
        assertThat(lease.isValid()).isTrue();
        assertThat(rig.contenders()).containsExactly(Rig.node(lease));
        assertThat(locks.inspect("a").orElseThrow().token()).isEqualTo(lease.token());
    }

    /** Z6 b. */
    @Test
    void createReplyLostAndGivenUp_nothingIsLeft() throws Exception {
        FencedLocks locks = rig.connect(proxy.url(), "");
        locks.get("a").acquire().close();
        CompletableFuture<Void> lost = proxy.loseReply(request -> request.contains("v1/locks/"));
        FutureTask<Lease> blocked = new FutureTask<>(() -> locks.get("a").acquire());
        Thread thread = new Thread(blocked);
        thread.start();
        lost.get(20, TimeUnit.SECONDS);
        await().atMost(Rig.SOON).until(() -> rig.contenders().size() == 1);
        thread.interrupt();
        assertThatThrownBy(() -> blocked.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        proxy.cut();
        Rig.free(locks, "a");
        assertThat(rig.contenders()).isEmpty();
    }

    /** Z5, with the server away behind a proxy that refuses. */
    @Test
    void connectionRefused_endsInTime() throws Exception {
        FencedLocks locks = rig.connect(proxy.url(), "");
        locks.get("a").acquire().close();
        proxy.refuse();
        long begun = System.nanoTime();
        assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofSeconds(1)))
                .isInstanceOfAny(BackendUnavailableException.class, OutcomeUnknownException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
        proxy.heal();
        assertThat(locks.get("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
    }

    /** Z7: idempotent, bounded, and made good by a deleter, not by the end of the session. */
    @Test
    void releaseWhileAway_isMadeGoodAfterwards() throws Exception {
        FencedLocks locks = rig.connect(proxy.url(), "");
        FencedLocks other = rig.connect();
        Lease lease = locks.get("a").acquire();
        proxy.refuse();
        long begun = System.nanoTime();
        assertThat(lease.release()).isEqualTo(Release.UNKNOWN);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
        assertThat(lease.release()).isEqualTo(Release.UNKNOWN);
        proxy.heal();
        Rig.free(other, "a");
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    /** Z23. */
    @Test
    void waiterThroughManyShortOutages_hasOneNodeAndIsWoken() throws Exception {
        FencedLocks locks = rig.connect(proxy.url(), "");
        FencedLocks other = rig.connect();
        Lease held = other.get("a").acquire();
        CompletableFuture<Optional<Lease>> waiting = locks.get("a").tryAcquireAsync(Duration.ofSeconds(90));
        Rig.waiters(other, "a", 1);
        for (int i = 0; i < 6; i++) {
            proxy.cut();
            await().atMost(Rig.SOON).until(() -> proxy.connections() > 0);
        }
        Rig.free(locks, "b");
        assertThat(rig.contenders()).hasSize(2);
        held.close();
        Lease lease = waiting.get(10, TimeUnit.SECONDS).orElseThrow();
        assertThat(rig.contenders()).isEqualTo(List.of(Rig.node(lease)));
    }

    /** LOS-3: an outage shorter than the validity costs nothing. */
    @Test
    void holderThroughShortOutages_keepsItsLease() throws Exception {
        FencedLocks locks = Rig.ready(rig.opened(FencedLocks.connect(proxy.url() + rig.prefix() + "?lease=10s")));
        Lease lease = locks.get("a").acquire();
        for (int i = 0; i < 4; i++) {
            proxy.cut();
            Rig.free(locks, "b");
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
    }

    @Test
    void serverPaused_isUnknownInTime() throws Exception {
        FencedLocks locks = rig.connect();
        locks.get("a").acquire().close();
        rig.server().pause();
        long begun = System.nanoTime();
        assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOfAny(OutcomeUnknownException.class, BackendUnavailableException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
        rig.server().resume();
        locks.get("a").tryAcquire(Rig.SOON).orElseThrow().close();
    }

    @Test
    void serverKilledAfterUse_isUnavailableInTimeAndComesBack() throws Exception {
        FencedLocks locks = rig.connect();
        long before = locks.get("a").acquire().token();
        rig.server().kill();
        await().atMost(Rig.SOON)
                .untilAsserted(() -> assertThatThrownBy(() -> locks.get("b").tryAcquire())
                        .isInstanceOf(BackendUnavailableException.class));
        long begun = System.nanoTime();
        assertThatThrownBy(() -> locks.get("b").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining(Rig.hostAndPort(rig.server().address()));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
        rig.server().restart(Data.KEEP);
        assertThat(locks.get("b").tryAcquire(Rig.SOON).orElseThrow().token()).isGreaterThan(before);
    }

    @Test
    void nothingListens_isUnavailableInTime() {
        try (FencedLocks locks = FencedLocks.connect("zookeeper://127.0.0.1:1" + Rig.SESSION)) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(200)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:1")
                    .hasMessageContaining("no server takes the connection");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
        }
    }

    @Test
    void closeWhileNothingAnswers_isBounded() throws Exception {
        FencedLocks locks = rig.connect(proxy.url(), "");
        locks.get("a").acquire();
        proxy.set(Fault.stall());
        long begun = System.nanoTime();
        locks.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(12));
    }
}
