package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.HolderInfo;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock on a healthy rig.server(). */
class ZooKeeperLockTest {

    @RegisterExtension
    static final Rig rig = new Rig(() -> Servers.start(Store.ZOOKEEPER));

    @Test
    void held_isEmptyQuicklyAndLeavesNoContender() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        Lease held = one.get("a").acquire();
        long begun = System.nanoTime();
        assertThat(two.get("a").tryAcquire(Duration.ofMillis(200))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1300));
        assertThat(two.get("a").tryAcquire()).isEmpty();
        await().atMost(Rig.SOON).until(() -> rig.contenders().equals(List.of(Rig.node(held))));
        assertThat(held.release()).isEqualTo(Release.RELEASED);
        assertThat(one.inspect("a")).isEmpty();
        assertThat(held.release()).as("again").isEqualTo(Release.RELEASED);
    }

    @Test
    void inspect_tellsWhoHolds() throws Exception {
        FencedLocks locks = rig.connect();
        assertThat(locks.inspect("a/ü")).isEmpty();
        Lease lease = locks.get("a/ü").acquire();
        HolderInfo info = locks.inspect("a/ü").orElseThrow();
        assertThat(info.token()).isEqualTo(lease.token());
        assertThat(info.holder()).isEqualTo(lease.grant().holder());
        assertThat(info.pid()).hasValue(ProcessHandle.current().pid());
        assertThat(info.host()).isPresent();
        assertThat(info.since()).isPresent();
    }

    @Test
    void forceRelease_onlyTheObservedToken() throws Exception {
        FencedLocks locks = rig.connect();
        Lease lease = locks.get("a").acquire();
        assertThat(locks.forceRelease("a", lease.token() - 1)).isEqualTo(Release.NOT_HELD);
        assertThat(locks.forceRelease("a", lease.token())).isEqualTo(Release.RELEASED);
        assertThat(locks.get("a").tryAcquire()).isPresent();
        assertThat(locks.forceRelease("b", 1)).isEqualTo(Release.NOT_HELD);
    }

    /** Z14: the lease is the owner, not a thread. */
    @Test
    void leaseIsReleasedByAnyThread_alsoWhenItsOwnHasEnded() throws Exception {
        FencedLocks locks = rig.connect();
        FutureTask<Lease> taking = new FutureTask<>(() -> locks.get("a").acquire());
        Thread taker = new Thread(taking);
        taker.start();
        taker.join();
        Lease lease = taking.get();
        assertThat(locks.get("a").tryAcquire()).isEmpty();
        assertThat(CompletableFuture.supplyAsync(() -> lease.release()).get()).isEqualTo(Release.RELEASED);
        assertThat(locks.get("a").tryAcquire()).isPresent();
    }

    /** Z15: two lock objects, one thread: the second is simply refused. */
    @Test
    void secondLockObjectInOneThread_isNotReentrant() throws Exception {
        FencedLocks locks = rig.connect();
        try (Lease lease = locks.get("a").acquire()) {
            assertThat(locks.get("a").tryAcquire()).isEmpty();
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(locks.get("a").tryAcquire()).isPresent();
    }

    /** EXC-2. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a:b", "{a}b", ".", "..", "/", "_c_x-lock-0000000000", "日本\uD83D\uDD12", "%00"})
    void names_neverInterfere(String name) throws Exception {
        FencedLocks locks = rig.connect();
        Lease other = locks.get("an other").acquire();
        Lease lease = locks.get(name).tryAcquire().orElseThrow();
        assertThat(locks.inspect(name).orElseThrow().token()).isEqualTo(lease.token());
        assertThat(locks.get(name).tryAcquire()).isEmpty();
        lease.close();
        assertThat(other.isValid()).isTrue();
        assertThat(locks.inspect(name)).isEmpty();
    }

    @Test
    void longestName_works() throws Exception {
        FencedLocks locks = rig.connect();
        String longest = "ü".repeat(256);
        try (Lease lease = locks.get(longest).acquire()) {
            assertThat(locks.inspect(longest)).isPresent();
            assertThat(locks.get("ü".repeat(255) + "uu").tryAcquire()).isPresent();
            assertThat(lease.grant().name().value()).isEqualTo(longest);
        }
    }

    @Test
    void foreignNodesAmongTheContenders_areLeftAloneAndHarmNothing() throws Exception {
        FencedLocks locks = rig.connect();
        Lease lease = locks.get("a").acquire();
        String stripe = ZkPaths.parent(Rig.node(lease));
        String hash = ZkPaths.hash(new LockName("a"));
        ZooKeeper raw = rig.raw();
        List<String> foreign = List.of(hash + "-" + "X".repeat(32) + "-0000000000", hash, "0", "q".repeat(80));
        for (String child : foreign) {
            raw.create(stripe + "/" + child, null, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        assertThat(locks.get("a").tryAcquire()).isEmpty();
        lease.close();
        assertThat(locks.get("a").tryAcquire()).isPresent();
        assertThat(raw.getChildren(stripe, false)).containsAll(foreign);
    }

    @Test
    void close_freesTheLockAndFailsWhoWaits() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        one.get("a").acquire();
        two.get("b").acquire();
        CompletableFuture<Optional<Lease>> waiting = one.get("b").tryAcquireAsync(Duration.ofSeconds(30));
        Rig.waiters(two, "b", 1);
        one.close();
        assertThat(waiting).failsWithin(Rig.SOON);
        assertThat(two.get("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
        assertThat(two.inspect("b").orElseThrow().waiters()).hasValue(0);
        assertThatThrownBy(() -> one.get("a").tryAcquire()).isInstanceOf(IllegalStateException.class);
        one.close();
    }
}
