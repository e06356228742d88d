package io.fencedlock.compliance;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A call on its way in a thread of its own. */
final class Pending<T> {

    private static final long BEGIN_SECONDS = 30;

    private final String what;
    private final Pace pace;
    private final FutureTask<T> task;
    private volatile @Nullable Thread thread;
    private volatile long began;
    private volatile long ended;
    private final CountDownLatch running = new CountDownLatch(1);

    Pending(String what, Pace pace, Callable<T> call) {
        this.what = what;
        this.pace = pace;
        task = new FutureTask<>(() -> {
            thread = Thread.currentThread();
            began = pace.nanos();
            running.countDown();
            try {
                return call.call();
            } finally {
                ended = pace.nanos();
                thread = null;
            }
        });
    }

    /** Returns when the call has begun, so that no time passes before it. */
    void runOn(ExecutorService threads) {
        began = pace.nanos();
        Future<?> started = threads.submit(task);
        try {
            if (!running.await(BEGIN_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the machine did not start a thread for " + what + ": " + started);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String what() {
        return what;
    }

    boolean done() {
        return task.isDone();
    }

    /** How long it took, or has taken so far. */
    Duration took() {
        return Duration.ofNanos((done() ? ended : pace.nanos()) - began);
    }

    long endedAt() {
        return ended;
    }

    void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Whether its thread waits for something. */
    boolean waiting() {
        Thread running = thread;
        return running != null
                && (running.getState() == Thread.State.WAITING || running.getState() == Thread.State.TIMED_WAITING);
    }

    /** What it threw, or null if it returned; only for a call that is done. */
    @Nullable
    Throwable thrown() {
        try {
            task.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Its result; only for a call that is done. */
    T result() {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            } else if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new RuleBroken(what + " threw " + e.getCause(), e.getCause());
        }
    }

    /** Where its thread stands, for the message about a call that hangs. */
    String stack() {
        Thread running = thread;
        if (running == null) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        StackTraceElement[] frames = running.getStackTrace();
        for (int i = 0; i < Math.min(8, frames.length); i++) {
            text.append("\n      at ").append(frames[i]);
        }
        return text.toString();
    }
}
