package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLockException;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three members, each behind a proxy. */
@SuppressWarnings("try") // some leases are only held
class EnsembleTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static final Duration RENEWAL = Duration.ofSeconds(1);

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

    /**
     * WAI-2, fifty times: the requests wait in a paused member while the session and their undoing go over another one. What the paused member
     * passes on when it continues is gone within one renewal interval, a quarter of the session's time.
     */
    @Tag("full")
    @Test
    void wai2_acquiresThatAPausedMemberPassesOnLate_leaveNoGhost() throws Exception {
        List<Server> followers = followers();
        String hosts = followers.stream()
                .map(node -> "127.0.0.1:" + node.address().getPort())
                .collect(Collectors.joining(","));
        FencedLocks observer = connect(cluster.leader().url(), "4s");
        FencedLocks client = connect("zookeeper://" + hosts, "4s");
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
            client.get("moved").tryAcquire(PATIENCE).orElseThrow().close();
            paused.resume();
            long resumed = System.nanoTime();
            for (int i = 0; i < tries.size(); i++) {
                String name = "g" + round + "-" + i;
                await().atMost(PATIENCE).until(() -> observer.inspect(name).isEmpty());
            }
            assertThat(Duration.ofNanos(System.nanoTime() - resumed)).isLessThan(RENEWAL.plusSeconds(2));
            await().pollDelay(RENEWAL).atMost(PATIENCE).until(() -> true); // none comes to stand later, either
            for (int i = 0; i < tries.size(); i++) {
                assertThat(observer.inspect("g" + round + "-" + i)).isEmpty();
            }
        }
    }

    private static boolean granted(CompletableFuture<Optional<Lease>> asked) throws Exception {
        try {
            Optional<Lease> lease = asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            lease.ifPresent(Lease::close);
            return true;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(FencedLockException.class);
            return false;
        }
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
