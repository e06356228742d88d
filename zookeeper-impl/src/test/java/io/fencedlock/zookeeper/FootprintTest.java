package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the lock costs a server: requests, nodes, watches; and the client: threads. */
class FootprintTest {

    @RegisterExtension
    static final Rig rig = new Rig();

    private final FourLetters counts = new FourLetters(rig.server().address());

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }

    /** A slow machine may take long to answer many requests at once. */
    private FencedLocks patient() {
        return Rig.ready(
                rig.opened(FencedLocks.connect(rig.server().url() + rig.prefix() + "?lease=10s&command-timeout=9s")));
    }

    /** For what must not happen meanwhile. */
    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    private static final int CYCLES = 300;

    @Test
    void acquireAndRelease_areTwoRequests() throws Exception {
        FencedLocks locks = rig.connect();
        cyclesCost(2, locks, "a");
    }

    @Test
    void whereOthersContendInTheStripe_oneMore_untilTheyAreGone() throws Exception {
        FencedLocks locks = rig.connect();
        ZkPaths paths = new ZkPaths(rig.prefix().substring(1));
        String neighbour = IntStream.range(0, 1_000_000)
                .mapToObj(i -> "n" + i)
                .filter(name -> paths.stripe(new LockName(name)).equals(paths.stripe(new LockName("a"))))
                .findFirst()
                .orElseThrow();
        try (Lease other = rig.connect().get(neighbour).acquire()) {
            locks.get("a").acquire().close();
            cyclesCost(3, locks, "a");
            assertThat(other.isValid()).isTrue();
        }
        locks.get("a").acquire().close();
        cyclesCost(2, locks, "a");
    }

    private void cyclesCost(int each, FencedLocks locks, String name) throws Exception {
        locks.get(name).acquire().close();
        long begun = System.nanoTime();
        long before = counts.received();
        for (int i = 0; i < CYCLES; i++) {
            locks.get(name).acquire().close();
        }
        long requests = counts.received() - before;
        long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds() + 1;
        // A client's heartbeat is two requests each second with this session; and pings, and the question itself.
        assertThat(requests).isBetween((long) each * CYCLES, (long) each * CYCLES + 8 * seconds + 20);
    }

    @Test
    void handOver_isFourRequestsHoweverManyWait() throws Exception {
        FencedLocks one = patient();
        FencedLocks two = patient();
        // Each client's first use lifts the tokens, and who waits meanwhile has one more request.
        one.get("a").acquire().close();
        two.get("a").acquire().close();
        for (int waiters : new int[] {10, 60}) {
            Lease held = one.get("a").acquire();
            long begun = System.nanoTime();
            long before = counts.received();
            List<CompletableFuture<Void>> served = IntStream.range(0, waiters)
                    .mapToObj(i ->
                            (i % 2 == 0 ? one : two).get("a").acquireAsync().thenAccept(Lease::close))
                    .toList();
            held.close();
            all(served).get(30, TimeUnit.SECONDS);
            long requests = counts.received() - before;
            long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
            // Whoever waits looks again each second.
            assertThat(requests).isLessThanOrEqualTo(4L * waiters + seconds * (waiters + 6) + 30);
        }
    }

    @Test
    void idleClient_sendsPingsOnly() throws Exception {
        FencedLocks locks = rig.connect();
        Lease lease = locks.get("a").acquire();
        assertThat(locks.get("a").tryAcquire(Duration.ofMillis(50))).isEmpty();
        lease.close();
        pass(Duration.ofSeconds(4));
        long before = counts.received();
        pass(Duration.ofSeconds(4));
        // Pings of a session of 4 s come each 1.3 s; heartbeats would be eight requests.
        assertThat(counts.received() - before).isBetween(2L, 7L);
    }

    @Test
    void manyHeld_costOneSession() throws Exception {
        FencedLocks locks = patient();
        int count = 3000;
        List<CompletableFuture<Lease>> taken = IntStream.range(0, count)
                .mapToObj(i -> locks.get("n" + i)
                        .tryAcquireAsync(Duration.ofSeconds(60))
                        .thenApply(Optional::orElseThrow))
                .toList();
        all(taken).get(60, TimeUnit.SECONDS);
        long before = counts.received();
        pass(Duration.ofSeconds(4));
        // One write, and one list in eleven pieces, each 2.5 s.
        assertThat(counts.received() - before).isLessThan(60);
        assertThat(taken).allMatch(lease -> lease.join().isValid());
        // A hole is found in a list that comes in pieces, too.
        Lease one = taken.get(1234).join();
        rig.raw().delete(Rig.node(one), -1);
        one.lost().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(taken.get(0).join().isValid()).isTrue();
    }

    /** CLI-2. */
    @Test
    void residue_isStripesAndTheBase() throws Exception {
        FencedLocks locks = patient();
        List<CompletableFuture<Void>> used = IntStream.range(0, 2000)
                .mapToObj(i -> locks.get("name " + i)
                        .tryAcquireAsync(Duration.ofSeconds(60))
                        .thenAccept(lease -> lease.orElseThrow().close()))
                .toList();
        all(used).get(60, TimeUnit.SECONDS);
        await().atMost(Rig.SOON).until(() -> rig.contenders().isEmpty());
        locks.close();
        String root = rig.prefix() + "/v1";
        List<String> left = rig.tree();
        assertThat(left).contains(rig.prefix(), root, root + "/base", root + "/locks");
        assertThat(left.stream().filter(path -> !path.startsWith(root + "/locks/")))
                .isSubsetOf(rig.prefix(), root, root + "/base", root + "/locks", root + "/sessions");
        assertThat(left.stream().filter(path -> path.startsWith(root + "/locks/")))
                .allMatch(path -> path.matches(".*/locks/\\d{4}"))
                .hasSizeLessThanOrEqualTo(1024);
    }

    /** Z17. */
    @Test
    void thousandContendedTimeouts_leaveNoWatchNodeOrThread() throws Exception {
        Set<Thread> before = driverThreads();
        FencedLocks one = patient();
        FencedLocks two = patient();
        Lease held = one.get("a").acquire();
        rig.raw();
        int threads = driverThreads().size();
        long watches = counts.watches();
        for (int round = 0; round < 10; round++) {
            List<CompletableFuture<Optional<Lease>>> waiting = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                waiting.add(two.get("a").tryAcquireAsync(Duration.ofMillis(100)));
            }
            all(waiting).get(60, TimeUnit.SECONDS);
            assertThat(waiting).allMatch(attempt -> attempt.join().isEmpty());
        }
        await().atMost(Rig.SOON).until(() -> rig.contenders().equals(List.of(Rig.node(held))));
        // The server keeps one watch of a session on the held node, however many there were, until that node goes.
        assertThat(counts.watches()).isLessThanOrEqualTo(watches + 1);
        held.close();
        await().atMost(Rig.SOON)
                .untilAsserted(() -> assertThat(counts.watches()).isLessThanOrEqualTo(watches));
        // Curator starts one more at its first need. Those of callbacks come as they are needed and end when they are
        // idle.
        assertThat(driverThreads().stream().filter(thread -> !thread.getName().contains("callback")))
                .hasSizeLessThanOrEqualTo(threads + 1);
        one.close();
        two.close();
        rig.close();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(driverThreads()).allMatch(before::contains));
    }

    /** Threads of ours and of the driver. */
    private static Set<Thread> driverThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName()
                        .matches("(?i).*(curator|SendThread|EventThread|fencedlock|ConnectionStateManager).*"))
                .filter(thread -> !thread.getName().contains("servers"))
                .collect(Collectors.toSet());
    }
}
