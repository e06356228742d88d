package io.fencedlock.torture;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a JVM at one time, to find those that a closed client left. What Netty, gRPC and the JDK keep once for all of a process and
 * end or reuse by themselves is none of it.
 */
record Leftover(Set<Thread> threads) {
    private static final List<String> SHARED = List.of(
            "stalls",
            "ForkJoinPool.common",
            "globalEventExecutor",
            "grpc-",
            "process reaper",
            "Common-Cleaner",
            "NioShutdown");

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_MILLIS = 20;

    static Leftover now() {
        return new Leftover(new HashSet<>(Thread.getAllStackTraces().keySet()));
    }

    /** The names of the new threads that do not end within some seconds. */
    List<String> threadsSince() throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            List<String> left = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !threads.contains(thread) && thread != Thread.currentThread())
                    .map(Thread::getName)
                    .filter(name -> SHARED.stream().noneMatch(name::startsWith))
                    .sorted()
                    .toList();
            if (left.isEmpty() || System.nanoTime() - start > LIMIT_NANOS) {
                return left;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
