package io.fencedlock.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What is used of the heap after garbage was collected. */
final class Heap {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final long SETTLED = 64 << 10;

    private Heap() {}

    /** Bytes, once they get no less: what clients hold that are closing is freed over some time. */
    static long used() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long before = Long.MAX_VALUE;
        long used = collected();
        while (used < before - SETTLED && System.nanoTime() < end) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            before = used;
            used = collected();
        }
        return used;
    }

    private static long collected() {
        System.gc();
        System.gc(); // what references held is free at the second time
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
