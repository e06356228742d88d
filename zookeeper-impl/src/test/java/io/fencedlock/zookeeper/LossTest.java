package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import io.fencedlock.Release;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who has lost its lock is told, and touches nobody's afterwards. */
class LossTest {

    @RegisterExtension
    static final Rig rig = new Rig();

    /** Z1, Z2, Z8. */
    @Test
    void sessionEndedOnTheServer_isToldAndTheNextGetsIn() throws Exception {
        Rig.Client one = rig.client();
        FencedLocks two = rig.connect();
        Lease lease = one.locks().get("a").acquire();
        CompletableFuture<LossReason> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        rig.end(one.session());
        Lease next = two.get("a").tryAcquire(Duration.ofSeconds(8)).orElseThrow();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(told.get(15, TimeUnit.SECONDS)).isEqualTo(LossReason.SESSION_ENDED);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(Release.NOT_HELD);
        assertThat(two.inspect("a").orElseThrow().token()).isEqualTo(next.token());
        next.close();
        Lease again = one.locks().get("a").tryAcquire(Rig.SOON).orElseThrow();
        assertThat(again.token()).isGreaterThan(next.token());
    }

    /** Z3: after an expiry that the client alone knows of, the server keeps the waiter's old node for the rest of the old session. */
    @Test
    void waiterWhoseClientExpired_isGrantedOnItsLiveSessionOnly() throws Exception {
        Rig.Client one = rig.client();
        FencedLocks two = rig.connect();
        Lease held = two.get("a").acquire();
        CompletableFuture<Lease> waiting = one.locks().get("a").acquireAsync();
        Rig.waiters(two, "a", 1);
        ZkSession old = one.session();
        old.handle().getTestable().injectSessionExpiration();
        await().atMost(Rig.SOON).ignoreExceptions().until(() -> one.session().id() != old.id());
        held.close();
        Lease lease = waiting.get(10, TimeUnit.SECONDS);
        assertThat(rig.raw().exists(Rig.node(lease), false).getEphemeralOwner())
                .isEqualTo(one.session().id());
        assertThat(two.get("a").tryAcquire(Duration.ofSeconds(8))).isEmpty();
        assertThat(lease.isValid()).isTrue();
        assertThat(rig.contenders()).containsExactly(Rig.node(lease));
    }

    @Test
    void waiterWhoseSessionEnded_entersAnew() throws Exception {
        Rig.Client one = rig.client();
        FencedLocks two = rig.connect();
        Lease held = two.get("a").acquire();
        CompletableFuture<Lease> waiting = one.locks().get("a").acquireAsync();
        Rig.waiters(two, "a", 1);
        rig.end(one.session());
        held.close();
        Lease lease = waiting.get(10, TimeUnit.SECONDS);
        assertThat(rig.raw().exists(Rig.node(lease), false).getEphemeralOwner())
                .isEqualTo(one.session().id());
    }

    /** Z4, LOS-1: nothing comes and nothing goes; the holder knows before the next one is granted. */
    @Test
    void blackHole_isToldBeforeTheNextGrant() throws Exception {
        FaultProxy proxy = rig.opened(FaultProxy.inFrontOf(rig.server()));
        FencedLocks one = rig.connect(proxy.url(), "");
        Lease lease = one.get("a").acquire();
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(reason -> told.complete(System.nanoTime()));
        FencedLocks two = rig.connect();
        CompletableFuture<Long> granted = two.get("a").acquireAsync().thenApply(next -> System.nanoTime());
        Rig.waiters(two, "a", 1);
        proxy.set(Fault.stall());
        long valid = 0;
        while (!granted.isDone()) {
            if (lease.isValid()) {
                valid = System.nanoTime();
            }
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(granted.get(20, TimeUnit.SECONDS) - valid).isPositive();
        assertThat(granted.get() - told.get(5, TimeUnit.SECONDS)).isPositive();
        assertThat(lease.isValid()).isFalse();
    }

    /** Only acknowledged writes prove that the session lives: reads go on here, and writes get no answer. */
    @Test
    void readsAloneAreAnswered_validityEnds() throws Exception {
        Rig.Client one = rig.client();
        Lease lease = one.locks().get("a").acquire();
        ZkSession session = one.session();
        one.backend().stopHeartbeat();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (lease.isValid() && System.nanoTime() < end) {
            session.children("/").get(5, TimeUnit.SECONDS);
        }
        assertThat(lease.isValid()).isFalse();
        assertThat(session.isConnected()).isTrue();
        assertThat(lease.lost().toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo(LossReason.EXPIRED);
    }

    @Test
    void heldManySessionTimes_staysValid() throws Exception {
        FencedLocks locks =
                Rig.ready(rig.opened(FencedLocks.connect(rig.server().url() + rig.prefix() + "?lease=4s")));
        Lease lease = locks.get("a").acquire();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(9);
        while (System.nanoTime() < end) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(4000));
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void nodeDeletedByHand_isToldWithinTheInterval() throws Exception {
        FencedLocks locks = rig.connect();
        Lease lease = locks.get("a").acquire();
        rig.raw().delete(Rig.node(lease), -1);
        assertThat(lease.lost().toCompletableFuture().get(15, TimeUnit.SECONDS)).isEqualTo(LossReason.NOT_HELD);
    }

    /** Z9: node and parent are deleted by hand, so the sequence number comes again. */
    @Test
    void lateRelease_touchesNobodyElse() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        Lease lease = one.get("a").acquire();
        ZooKeeper raw = rig.raw();
        raw.delete(Rig.node(lease), -1);
        raw.delete(ZkPaths.parent(Rig.node(lease)), -1);
        Lease next = two.get("a").tryAcquire(Rig.SOON).orElseThrow();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(ZkPaths.sequenceOf(ZkPaths.child(Rig.node(next)))).isZero();
        assertThat(lease.release()).isEqualTo(Release.NOT_HELD);
        assertThat(raw.exists(Rig.node(next), false)).isNotNull();
        assertThat(next.release()).isEqualTo(Release.RELEASED);
    }

    /** A create that came after its undoing, and a second node of one holder. */
    @Test
    void unclaimedNodes_areDeletedByTheHeartbeat() throws Exception {
        Rig.Client one = rig.client();
        Lease lease = one.locks().get("b").acquire();
        String second = Rig.node(lease).substring(0, Rig.node(lease).length() - 10);
        ZkPaths paths = new ZkPaths(rig.prefix().substring(1));
        String ghost = ZkPaths.contender(paths.stripe(new LockName("b")), new LockName("b"), HolderId.random());
        ZooKeeper handle = one.session().handle();
        for (String late : List.of(second, ghost)) {
            handle.create(late, null, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
        }
        Rig.waiters(one.locks(), "b", 2);
        Rig.waiters(one.locks(), "b", 0);
        assertThat(lease.isValid()).isTrue();
        assertThat(rig.contenders()).containsExactly(Rig.node(lease));
    }

    /** Z16: user code runs on no thread that the driver needs. */
    @Test
    void blockingInTheLossCallback_harmsNothing() throws Exception {
        Rig.Client one = rig.client();
        Lease lease = one.locks().get("a").acquire();
        CompletableFuture<Long> token = new CompletableFuture<>();
        lease.onLost(reason -> {
            try {
                token.complete(one.locks().get("a").acquire().token());
            } catch (InterruptedException e) {
                token.completeExceptionally(e);
            }
        });
        rig.end(one.session());
        assertThat(token.get(20, TimeUnit.SECONDS)).isGreaterThan(lease.token());
    }
}
