package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three members, each behind a proxy. */
@SuppressWarnings("try") // some leases are only held
class EnsembleTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static Cluster cluster;

    private final String prefix = "/t" + Long.toString(System.nanoTime(), 36);
    private final List<FencedLocks> opened = new ArrayList<>();

    @BeforeAll
    static void start() {
        cluster = Cluster.startBehindProxies(
                Topology.ZOOKEEPER_3, ServerOptions.defaults().throwAway());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void heal() {
        cluster.proxies().forEach(FaultProxy::heal);
        for (Server member : cluster.nodes()) {
            if (member.pid().isPresent()) {
                member.resume();
            } else {
                member.restart(Data.KEEP);
            }
        }
        cluster.awaitWhole(Duration.ofSeconds(60));
        opened.forEach(FencedLocks::close);
    }

    private FencedLocks connect(String url, String session) {
        FencedLocks locks = FencedLocks.connect(url + prefix + "?command-timeout=1s&lease=" + session);
        opened.add(locks);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> locks.get("warm-up")
                        .tryAcquire()
                        .map(lease -> lease.release() == Release.RELEASED)
                        .orElse(false));
        return locks;
    }

    private List<Server> followers() {
        Server leader = cluster.leader();
        return cluster.nodes().stream().filter(node -> node != leader).toList();
    }

    /** A follower that has lost the leader goes on answering reads and pings; its clients' leases end all the same, and before the next grant. */
    @Test
    void los1_followerCutOffFromTheLeader_endsTheLeaseInTime() throws Exception {
        List<Server> followers = followers();
        FencedLocks one = connect(followers.get(0).url(), "4s");
        FencedLocks two = connect(followers.get(1).url(), "4s");
        Lease lease = one.get("a").acquire();
        CompletableFuture<Lease> waiting = two.get("a").acquireAsync();
        Rig.waiters(one, "a", 1);
        CompletableFuture<Long> granted = waiting.thenApply(next -> System.nanoTime());
        cluster.leader().pause();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long valid = System.nanoTime();
        while (!granted.isDone() && System.nanoTime() < deadline) {
            long before = System.nanoTime();
            valid = lease.isValid() ? before : valid;
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(granted.get(1, TimeUnit.SECONDS) - valid).isPositive();
        assertThat(lease.isValid()).isFalse();
        assertThat(waiting.join().token()).isGreaterThan(lease.token());
    }

    @Test
    void lea4_sessionMovedToAnotherMember_keepsTheLease() throws Exception {
        FencedLocks one = connect(cluster.url(), "10s");
        Lease lease = one.get("b").acquire();
        List<FaultProxy> used = cluster.proxies().stream()
                .filter(proxy -> proxy.connections() > 0)
                .toList();
        assertThat(used).hasSize(1);
        FencedLocks two = connect(followers().get(0).url(), "10s");
        CompletableFuture<Lease> waiting = two.get("b").acquireAsync();
        used.get(0).refuse();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> one.inspect("b").isPresent());
        Rig.waiters(one, "b", 1);
        assertThat(lease.isValid()).isTrue();
        assertThat(one.inspect("b").orElseThrow().token()).isEqualTo(lease.token());
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
        assertThat(waiting.get(10, TimeUnit.SECONDS).token()).isGreaterThan(lease.token());
    }

    /** FLT-6, Z20: an election is no loss, and tokens go on growing behind it. */
    @Test
    void flt6_leaderKilled_leasesAndOrderOutliveIt() throws Exception {
        FencedLocks one = connect(cluster.url(), "10s");
        FencedLocks two = connect(cluster.url(), "10s");
        Lease lease = one.get("c").acquire();
        CompletableFuture<Lease> waiting = two.get("c").acquireAsync();
        Rig.waiters(one, "c", 1);
        cluster.leader().kill();
        try (Lease other = two.get("d").tryAcquire(PATIENCE).orElseThrow()) {
            assertThat(other.token()).isGreaterThan(lease.token());
        }
        await().atMost(PATIENCE).ignoreExceptions().until(() -> one.inspect("c").isPresent());
        assertThat(lease.isValid()).isTrue();
        assertThat(waiting).isNotDone();
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
        assertThat(waiting.get(10, TimeUnit.SECONDS).token()).isGreaterThan(lease.token());
    }
}
