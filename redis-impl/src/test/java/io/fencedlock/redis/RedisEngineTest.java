package io.fencedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lock as users see it. */
class RedisEngineTest {

    private static Server server;
    private static Kit.Admin admin;
    private FencedLocks locks;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
        admin = new Kit.Admin(server.url());
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    @BeforeEach
    void open() {
        admin.redis().flushall();
        locks = FencedLocks.connect(server.url());
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void exc1_countingUnderTheLockLosesNothing() throws Exception {
        int clients = 4;
        int threads = 4;
        int rounds = 50;
        int[] counter = new int[1];
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        List<FencedLocks> opened = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(clients * threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                FencedLocks client = FencedLocks.connect(server.url());
                opened.add(client);
                for (int t = 0; t < threads; t++) {
                    done.add(pool.submit(() -> {
                        for (int i = 0; i < rounds; i++) {
                            try (Lease lease = client.get("a").acquire()) {
                                tokens.add(lease.token());
                                counter[0]++;
                            }
                        }
                        return null;
                    }));
                }
            }
            for (Future<?> thread : done) {
                thread.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
            opened.forEach(FencedLocks::close);
        }
        assertThat(counter[0]).isEqualTo(clients * threads * rounds);
        assertThat(tokens).hasSize(clients * threads * rounds).isSorted().doesNotHaveDuplicates();
        assertThat(admin.leftovers()).isEmpty();
    }

    @Test
    void handOverTakesTwoRequestsAndAtMostThree() throws Exception {
        int rounds = 200;
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try (FencedLocks other = FencedLocks.connect(server.url())) {
            // Both clients have to be subscribed before it is counted.
            contend(pool, other, 4);
            long before = admin.scripts();
            contend(pool, other, rounds);
            long requests = admin.scripts() - before;

            assertThat((double) requests / (8 * rounds)).isLessThan(3.0);
        } finally {
            pool.shutdownNow();
        }
    }

    private void contend(ExecutorService pool, FencedLocks other, int rounds) throws Exception {
        List<Future<?>> done = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            FencedLock lock = (t % 2 == 0 ? locks : other).get("a");
            done.add(pool.submit(() -> {
                for (int i = 0; i < rounds; i++) {
                    lock.acquire().release();
                }
                return null;
            }));
        }
        for (Future<?> thread : done) {
            thread.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void wai3_nothingIsSentWhileWaitingButTheRecheck() throws Exception {
        try (Lease lease = locks.get("a").acquire()) {
            var waiter = locks.get("a").acquireAsync();
            Awaitility.await()
                    .until(() -> locks.inspect("a").orElseThrow().waiters().orElse(0) == 1);
            long before = admin.scripts();
            long start = System.nanoTime();
            Awaitility.await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
            long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 2;

            assertThat(admin.scripts() - before).isLessThanOrEqualTo(seconds);
            lease.release();
            waiter.get(10, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void interruptedAcquiresLeaveNothingBehind() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            Thread[] thread = new Thread[1];
            thread[0] = new Thread(() -> {
                try (Lease lease = locks.get("a").acquire()) {
                    lease.ensureValid();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread[0].start();
            Awaitility.await()
                    .pollInterval(Duration.ofNanos(100_000))
                    .pollDelay(Duration.ofNanos(random.nextInt(2_000_000)))
                    .until(() -> true);
            thread[0].interrupt();
            thread[0].join(10_000);
            assertThat(thread[0].isAlive()).isFalse();
        }
        Awaitility.await().untilAsserted(() -> assertThat(admin.leftovers()).isEmpty());
        locks.get("a").tryAcquire().orElseThrow().close();
    }

    @Test
    void wai4_killedHoldersLeaseEndsAndTheWaiterGetsIn() throws Exception {
        try (FencedLocks other = FencedLocks.connect(server.url() + "?lease=1500ms&renewal=false")) {
            other.get("a").acquire();
            long start = System.nanoTime();
            try (Lease lease = locks.get("a").acquire()) {
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
                lease.ensureValid();
            }
        }
    }
}
