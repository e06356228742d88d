package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.MoveLeaderRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.fencedlock.FencedLockException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
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

    @Test
    void lea4_leaseOutlivesALeaderThatIsMovedAgainAndAgain() throws Exception {
        Lease lease = locks.get("e15").acquire();
        AtomicInteger told = new AtomicInteger();
        lease.onLost(reason -> told.incrementAndGet());
        CompletableFuture<Lease> waiting = others.get("e15").acquireAsync();
        for (int i = 0; i < 10; i++) {
            Server leader = cluster.leader();
            Server next = cluster.nodes().stream()
                    .filter(node -> node != leader)
                    .skip(i % 2)
                    .findFirst()
                    .orElseThrow();
            moveLeader(leader, next);
            await().atMost(PATIENCE).until(() -> cluster.leader() == next);
            await().atMost(PATIENCE).ignoreExceptions().untilAsserted(lease::renew);
        }

        assertThat(told).hasValue(0);
        assertThat(waiting).isNotDone();
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
        try (Lease next = waiting.get(30, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    private static void moveLeader(Server from, Server to) {
        try (EtcdProbe old = new EtcdProbe(from);
                EtcdProbe next = new EtcdProbe(to)) {
            long id = next.call(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance())
                    .getHeader()
                    .getMemberId();
            old.call(
                    MaintenanceGrpc.getMoveLeaderMethod(),
                    MoveLeaderRequest.newBuilder().setTargetID(id).build());
        }
    }

    /** The requests wait in the paused member while their undoing goes over another one. */
    @Test
    void flt_acquiresThatAPausedMemberCarriesOutLateLeaveNoGhost() throws Exception {
        List<Server> followers = new ArrayList<>(cluster.nodes());
        followers.remove(cluster.leader());
        String hosts = followers.stream()
                .map(node -> "127.0.0.1:" + node.address().getPort())
                .collect(Collectors.joining(","));
        Duration interval = Duration.ofSeconds(2);
        try (FencedLocks client =
                FencedLocks.connect("etcd://" + hosts + "/g" + System.nanoTime() + "?lease=6s&command-timeout=1s")) {
            client.get("warm").tryAcquire(PATIENCE).orElseThrow().close();
            int late = 0;
            for (int round = 0; late < 50; round++) {
                Server paused = followers.get(round % 2);
                paused.pause();
                List<CompletableFuture<Optional<Lease>>> tries = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    tries.add(client.get("g" + round + "-" + i).tryAcquireAsync(Duration.ofMillis(200)));
                }
                for (CompletableFuture<Optional<Lease>> asked : tries) {
                    late += granted(asked) ? 0 : 1;
                }
                // It has gone over to the other member.
                client.get("moved").tryAcquire(PATIENCE).orElseThrow().close();
                paused.resume();
                long until = System.nanoTime() + interval.plusSeconds(3).toNanos();
                for (int i = 0; i < tries.size(); i++) {
                    String name = "g" + round + "-" + i;
                    Duration left = Duration.ofNanos(Math.max(1_000_000, until - System.nanoTime()));
                    await().pollDelay(i == 0 ? interval : Duration.ZERO)
                            .atMost(i == 0 ? interval.plusSeconds(3) : left)
                            .ignoreExceptions()
                            .until(() -> client.inspect(name).isEmpty());
                }
            }
        }
    }

    private static boolean granted(CompletableFuture<Optional<Lease>> asked) throws Exception {
        try {
            Optional<Lease> lease = asked.get(30, TimeUnit.SECONDS);
            lease.ifPresent(Lease::close);
            return true;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(FencedLockException.class);
            return false;
        }
    }
}
