package io.fencedlock.compliance;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads in which the suite makes its calls, so that a call that hangs fails a rule instead of the run. */
final class Workers implements AutoCloseable {

    static final String NAME = "compliance-worker";

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, NAME);
        thread.setDaemon(true);
        return thread;
    });

    <T> Pending<T> start(String what, Pace pace, Callable<T> call) {
        Pending<T> pending = new Pending<>(what, pace, call);
        pending.runOn(threads);
        return pending;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
