package io.fencedlock.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FencedLockException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.servers.Server;
import io.fencedlock.torture.Nemesis.Healing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LOS-1 on clusters: who loses its lock by time, pause or partition knows it before the next one has it. */
class ClusterLossTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration COMMAND = Duration.ofSeconds(1);
    private static final Duration TOLERANCE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 5;

    /** Cuts a holder off. */
    private interface Cut {
        Healing inflict(Arena arena) throws InterruptedException;
    }

    /** The member that a holder is connected to goes on answering; the leader does not hear it. The quick one of every build. */
    @Test
    void etcd_memberCutOffFromTheLeader() throws Exception {
        try (Arena arena = Torture.open("etcd-3", 2)) {
            toldBeforeTheNextGrant(arena, followersUrl(arena), ClusterLossTest::memberCutOff);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd-3", "zookeeper-3"})
    @Tag("full")
    void memberCutOffFromTheLeader(String backend) throws Exception {
        try (Arena arena = Torture.open(backend, 2)) {
            for (int i = 0; i < ROUNDS; i++) {
                toldBeforeTheNextGrant(arena, followersUrl(arena), ClusterLossTest::memberCutOff);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "redis-sentinel", "redis-cluster", "etcd", "etcd-3", "zookeeper", "zookeeper-3"})
    @Tag("full")
    void cutOffFromAllNodes(String backend) throws Exception {
        try (Arena arena = Torture.open(backend, 2)) {
            for (int i = 0; i < ROUNDS; i++) {
                toldBeforeTheNextGrant(arena, arena.url(0), ClusterLossTest::stalled);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel", "redis-cluster", "etcd-3", "zookeeper-3"})
    @Tag("full")
    void entryTakenAway_isToldWithinARenewalInterval(String backend) throws Exception {
        try (Arena arena = Torture.open(backend, 1);
                FencedLocks locks = connect(arena.directUrl())) {
            for (int i = 0; i < ROUNDS; i++) {
                Lease lease = locks.get("taken-" + i).acquire();
                TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() * i / ROUNDS);
                long taken = System.nanoTime();
                takeAway(arena, "taken-" + i);
                lease.lost().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(Duration.ofNanos(System.nanoTime() - taken))
                        .as("round " + i)
                        .isLessThan(LEASE.dividedBy(3).plus(COMMAND).plus(TOLERANCE));
            }
        }
    }

    /** ZooKeeper's names are hashes; there one entry stands. */
    private static void takeAway(Arena arena, String name) {
        for (Server leader : arena.leaders()) {
            leader.contents().keys().stream()
                    .filter(key -> arena.isZooKeeper() ? ZooKeeperAdmin.isContender(key) : key.contains(name))
                    .forEach(leader.contents()::delete);
        }
    }

    private static void toldBeforeTheNextGrant(Arena arena, String url, Cut cut) throws Exception {
        arena.awaitWhole();
        try (FencedLocks holder = connect(url);
                FencedLocks waiter = connect(arena.directUrl())) {
            Lease lease = holder.get("cut").acquire();
            CompletableFuture<Long> told =
                    lease.lost().thenApply(reason -> System.nanoTime()).toCompletableFuture();
            CompletableFuture<Lease> waiting = waiter.get("cut").acquireAsync();
            CompletableFuture<Long> granted = waiting.thenApply(next -> System.nanoTime());
            awaitWaiter(waiter);
            Healing healing = cut.inflict(arena);
            try {
                long valid = lastValid(lease, granted);
                long next = granted.get(1, TimeUnit.SECONDS);
                assertThat(next - valid).as("nanoseconds without a valid lease").isPositive();
                assertThat(next - told.get(1, TimeUnit.SECONDS))
                        .as("nanoseconds told before")
                        .isPositive();
                assertThat(waiting.join().token()).isGreaterThan(lease.token());
            } finally {
                healing.heal();
            }
        }
    }

    private static long lastValid(Lease lease, CompletableFuture<Long> granted) {
        long valid = System.nanoTime();
        long deadline = valid + PATIENCE.toNanos();
        while (!granted.isDone() && System.nanoTime() < deadline) {
            long before = System.nanoTime();
            valid = lease.isValid() ? before : valid;
            LockSupport.parkNanos(1_000_000);
        }
        return valid;
    }

    private static FencedLocks connect(String url) throws InterruptedException {
        FencedLocks locks = FencedLocks.configure()
                .url(url)
                .option("lease", LEASE.toMillis() + "ms")
                .option("command-timeout", COMMAND.toMillis() + "ms")
                .connect();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            try (Lease first = locks.get("warm-up").tryAcquire(PATIENCE).orElseThrow()) {
                if (first.isValid()) {
                    return locks;
                }
            } catch (FencedLockException e) {
                TimeUnit.MILLISECONDS.sleep(50); // the first connection takes its time
            }
        }
        throw new IllegalStateException(url + " is not reached");
    }

    private static void awaitWaiter(FencedLocks locks) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (locks.inspect("cut")
                .filter(info -> info.waiters().orElse(0) == 1)
                .isEmpty()) {
            assertThat(System.nanoTime())
                    .as("the waiter does not stand in the queue")
                    .isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static String followersUrl(Arena arena) {
        int follower = arena.nodes().indexOf(follower(arena));
        return arena.scheme() + "://127.0.0.1:"
                + arena.route(0).proxies().get(follower).address().getPort();
    }

    private static Server follower(Arena arena) {
        Server leader = arena.leader();
        return arena.nodes().stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    /** By a partition where the system lets us; else the leader stops, which is the same to the member. */
    private static Healing memberCutOff(Arena arena) {
        Server leader = arena.leader();
        try {
            return arena.isolate(follower(arena))::close;
        } catch (IllegalStateException e) {
            leader.pause();
            return leader::resume;
        }
    }

    private static Healing stalled(Arena arena) {
        arena.route(0).cut(false);
        return arena.route(0)::heal;
    }
}
