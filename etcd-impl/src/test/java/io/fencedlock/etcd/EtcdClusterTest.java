package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Topology;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three members of etcd 3.5: the loss of one, the leader or not, is no loss of a lease. */
@Tag("full")
@SuppressWarnings("try") // some leases are only held
class EtcdClusterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static Cluster cluster;

    private FencedLocks locks;
    private FencedLocks others;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(
                Topology.ETCD_3, ServerOptions.defaults().version("3.5").throwAway());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void connect() throws Exception {
        String url = cluster.url() + "/c" + System.nanoTime() + "?lease=15s&command-timeout=1s";
        locks = FencedLocks.connect(url);
        others = FencedLocks.connect(url);
        locks.get("warm").tryAcquire(PATIENCE).orElseThrow().close();
        others.get("warm").tryAcquire(PATIENCE).orElseThrow().close();
    }

    @AfterEach
    void heal() {
        cluster.nodes().forEach(node -> {
            if (node.pid().isPresent()) {
                node.resume();
            } else {
                node.restart(Data.KEEP);
            }
        });
        cluster.awaitWhole(Duration.ofSeconds(60));
        locks.close();
        others.close();
    }

    @Test
    void lea4_leaseAndItsTokenOutliveTheKilledLeader() throws Exception {
        try (Lease lease = locks.get("e15").acquire()) {
            long token = lease.token();
            Server leader = cluster.leader();
            leader.kill();

            try (Lease next = others.get("after").tryAcquire(PATIENCE).orElseThrow()) {
                assertThat(next.token()).isGreaterThan(token);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(11)));
            assertThat(lease.token()).isEqualTo(token);
            assertThat(lease.release()).isEqualTo(Release.RELEASED);
        }
    }

    @Test
    void lea4_leaseOutlivesALeaderThatPauses() throws Exception {
        Lease lease = locks.get("e13").acquire();
        Server leader = cluster.leader();
        leader.pause();

        try (Lease next = others.get("after").tryAcquire(PATIENCE).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
        leader.resume();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(11)));
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
    }

    @Test
    void wai3_waiterGetsInThoughTheLeaderIsKilledAtTheRelease() throws Exception {
        Lease held = locks.get("e8").acquire();
        CompletableFuture<Lease> waiting = others.get("e8").acquireAsync();
        await().untilAsserted(() ->
                assertThat(locks.inspect("e8").orElseThrow().waiters()).hasValue(1));
        cluster.leader().kill();

        held.close();

        try (Lease next = waiting.get(30, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(held.token());
        }
    }
}
