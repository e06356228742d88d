package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.LEASE;
import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.askWaiting;
import static io.fencedlock.redis.Kit.get;
import static io.fencedlock.redis.Kit.granted;
import static io.fencedlock.redis.Kit.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.StaleTokenException;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Topology;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same locks where several servers belong together, and when one of them is lost. */
class RedisTopologyTest {

    private static final Duration FAILOVER = Duration.ofSeconds(60);

    /** For connections on a busy machine; nothing here is tried again, as a user would not. */
    private static final String PATIENT = "?command-timeout=10s";

    @ParameterizedTest
    @EnumSource(
            value = Topology.class,
            names = {"REDIS_SENTINEL", "REDIS_CLUSTER"})
    void locksWorkAndOutliveALeader(Topology topology) throws Exception {
        try (Cluster cluster = Cluster.start(topology);
                Kit.Opened opened = Kit.open(cluster.url() + "?lease=6s")) {
            namesOfManyStripes(opened);
            handOver(opened);
            register(cluster);
            if (topology == Topology.REDIS_CLUSTER) {
                oneOfAClusterTellsIt(cluster.nodes().get(0));
            }
            fence(cluster, opened);
            failover(cluster, opened);
        }
    }

    private static void oneOfAClusterTellsIt(Server node) throws Exception {
        try (Kit.Opened opened = Kit.open(node.url())) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 50; i++) {
                            acquire(opened.backend(), "moved-" + i);
                        }
                    })
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("redis-cluster");
        }
    }

    private static void namesOfManyStripes(Kit.Opened opened) throws Exception {
        for (String name : List.of("a", "{x}y", "a{b}c", "}{", "{", "naïve-名前", "b", "c", "d", "e")) {
            Grant first = acquire(opened.backend(), name);
            assertThat(get(opened.backend().release(first))).isEqualTo(Release.RELEASED);
            Grant second = acquire(opened.backend(), name);
            assertThat(second.token()).isGreaterThan(first.token());
            assertThat(get(opened.backend().release(second))).isEqualTo(Release.RELEASED);
        }
    }

    private static void handOver(Kit.Opened opened) throws Exception {
        for (int i = 0; i < 20; i++) {
            String name = "wake-" + i;
            Grant present = acquire(opened.backend(), name);
            HolderId waiter = HolderId.random();
            Attempt.Held held = queue(opened.backend(), name, waiter, LEASE);
            get(opened.backend().release(present));
            get(held.changed());
            Grant next = granted(get(opened.backend().acquire(askWaiting(name, waiter, LEASE))))
                    .grant();
            assertThat(next.token()).isGreaterThan(present.token());
            assertThat(get(opened.backend().inspect(new LockName(name)))
                            .orElseThrow()
                            .remaining()
                            .orElseThrow())
                    .isGreaterThan(Duration.ofSeconds(10));
            get(opened.backend().release(next));
        }
        get(opened.backend().raiseTokens(1));
    }

    private static void register(Cluster cluster) {
        try (FencedRegister register = FencedRegister.connect(cluster.url() + PATIENT)) {
            register.write("r", new FenceMark(5, HolderId.random()), "x");
            assertThat(register.read("r")).hasValue("x");
        }
    }

    /** Marks lie in the slots of what they guard. */
    private static void fence(Cluster cluster, Kit.Opened opened) throws Exception {
        FenceMark five = new FenceMark(5, HolderId.random());
        FenceMark four = new FenceMark(4, HolderId.random());
        try (RedisFence fence = RedisFence.connect(cluster.url() + PATIENT);
                RedisGuard guard = RedisGuard.connect(cluster.url() + PATIENT)) {
            List<String> names = List.of("a", "{x}y", "a{b}c", "}{", "{", "a}b", "naïve-名前");
            for (String name : names) {
                fence.writer(name, five).set(name, "five");
                assertThatThrownBy(() -> fence.writer(name, four).set(name, "four"))
                        .isInstanceOf(StaleTokenException.class);
            }
            List<String> listed = new ArrayList<>();
            fence.forEachMark(mark -> listed.add(mark.resource()));
            assertThat(listed).contains("r").containsAll(names).hasSize(names.size() + 1);
            assertThat(fence.expire(Duration.ofDays(1))).isZero();
            String tag = "{" + RedisGuard.hashTag("g") + "}";
            try (Lease lease = opened.locks().get("g").acquire()) {
                guard.writer(lease).set(tag + "guarded", "x");
            }
            if (cluster.url().startsWith("redis-cluster")) {
                onTheUsersConnection(cluster, five);
            }
        }
    }

    private static void onTheUsersConnection(Cluster cluster, FenceMark five) {
        RedisClusterClient client =
                RedisClusterClient.create(RedisURI.create(cluster.leader().url()));
        try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
            RedisWriter writer = RedisFence.on(connection).writer("mine", five);
            writer.run("redis.call('MSET', KEYS[1], '1', KEYS[2], '2')", List.of("{mine}1", "{mine}2"));
            assertThatThrownBy(() -> writer.run("return 1", List.of("{mine}1", "other")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("{mine}");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private static void failover(Cluster cluster, Kit.Opened opened) throws Exception {
        FencedLocks locks = opened.locks();
        List<String> names = List.of("f1", "f2", "f3", "f4", "f5", "f6");
        List<Long> before = names.stream().map(name -> cycle(locks, name)).toList();
        Server leader = cluster.leader();
        leader.kill();
        long start = System.nanoTime();
        List<Long> after = names.stream().map(name -> cycle(locks, name)).toList();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(FAILOVER);

        for (int i = 0; i < names.size(); i++) {
            assertThat(after.get(i)).isGreaterThan(before.get(i));
        }
        leader.restart(io.fencedlock.servers.Data.KEEP);
        cluster.awaitWhole(FAILOVER);
        names.forEach(name -> cycle(locks, name));
    }

    private static long cycle(FencedLocks locks, String name) {
        return Awaitility.await()
                .atMost(FAILOVER)
                .ignoreExceptions()
                .until(
                        () -> {
                            try (Lease lease = locks.get(name)
                                    .tryAcquire(Duration.ofSeconds(20))
                                    .orElseThrow()) {
                                return lease.token();
                            }
                        },
                        token -> true);
    }

    @Test
    void sentinel_pausedPrimaryIsLeftForTheNewOne() throws Exception {
        try (Cluster cluster = Cluster.start(Topology.REDIS_SENTINEL);
                FencedLocks locks = FencedLocks.connect(cluster.url() + "?lease=6s")) {
            long before = cycle(locks, "a");
            Server primary = cluster.leader();
            primary.pause();
            try {
                assertThat(cycle(locks, "a")).isGreaterThan(before);
            } finally {
                primary.resume();
            }
            cluster.awaitWhole(FAILOVER);
            locks.get("a").acquireAsync().get(20, TimeUnit.SECONDS).close();
        }
    }
}
