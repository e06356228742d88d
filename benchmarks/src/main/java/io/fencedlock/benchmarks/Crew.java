package io.fencedlock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Threads that do one thing together. */
final class Crew {

    private static final String VIRTUAL = "virtual thread";

    private final int size;
    private final String kind;
    private final Supplier<ExecutorService> threads;

    private Crew(int size, String kind, Supplier<ExecutorService> threads) {
        this.size = size;
        this.kind = kind;
        this.threads = threads;
    }

    static Crew platform(int size) {
        return new Crew(size, "thread", () -> Executors.newFixedThreadPool(size));
    }

    /** Virtual threads, if this Java has them. */
    static Optional<Crew> virtual(int size) {
        try {
            var make = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
            return Optional.of(new Crew(size, VIRTUAL, () -> {
                try {
                    return (ExecutorService) make.invoke(null);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            }));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
    }

    /** Work that is told its thread's number. */
    interface Work {
        void run(int number) throws Exception;
    }

    boolean isVirtual() {
        return kind.equals(VIRTUAL);
    }

    int size() {
        return size;
    }

    void run(Work work) throws Exception {
        if (size == 1) {
            work.run(0);
            return;
        }
        ExecutorService crew = threads.get();
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < size; i++) {
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

    @Override
    public String toString() {
        return size + " " + kind + (size == 1 ? "" : "s");
    }
}
