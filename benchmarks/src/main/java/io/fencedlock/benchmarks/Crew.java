package io.fencedlock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that do one thing together. */
final class Crew {

    private Crew() {}

    /** Work that is told its thread's number. */
    interface Work {
        void run(int number) throws Exception;
    }

    static void run(int threads, Work work) throws Exception {
        if (threads == 1) {
            work.run(0);
            return;
        }
        ExecutorService crew = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                all.add(crew.submit(() -> {
                    work.run(number);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(5, TimeUnit.MINUTES);
            }
        } finally {
            crew.shutdownNow();
        }
    }
}
