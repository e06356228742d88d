package io.fencedlock;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test moves it. Timers run on the thread that calls {@link #advance}, in the order of their times, each at
 * its own reading. Thread-safe.
 */
public final class ManualClock implements LockClock {

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
    private final AtomicLong doubts = new AtomicLong();
    private long now;
    private long scheduled;

    /** Makes a clock. */
    public ManualClock() {}

    private record Task(long at, long order, Runnable body) {}

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public long checkedNanos() {
        return nanos();
    }

    @Override
    public long doubts() {
        return doubts.get();
    }

    /** Raises a doubt, as a jump of the wall clock would where suspensions cannot be seen. */
    public void doubt() {
        doubts.incrementAndGet();
    }

    @Override
    public synchronized Timer schedule(long delayNanos, Runnable task) {
        Task added = new Task(now + Math.max(0, delayNanos), scheduled++, task);
        tasks.add(added);
        return () -> {
            synchronized (this) {
                tasks.remove(added);
            }
        };
    }

    /**
     * Moves the clock and runs what becomes due, also what those tasks schedule within the time.
     *
     * @param time how far; zero runs what is due now
     */
    public void advance(Duration time) {
        long end;
        synchronized (this) {
            end = now + time.toNanos();
        }
        for (Task due = next(end); due != null; due = next(end)) {
            due.body().run();
        }
    }

    /**
     * Moves the clock without running anything: what a process sees that was paused and goes on, before its timers have run. The next {@link
     * #advance} runs what is overdue.
     *
     * @param time how far
     */
    public synchronized void jump(Duration time) {
        now += time.toNanos();
    }

    /**
     * How many timers wait.
     *
     * @return the number
     */
    public synchronized int pending() {
        return tasks.size();
    }

    private synchronized @Nullable Task next(long end) {
        Task first = tasks.peek();
        if (first == null || first.at() > end) {
            now = Math.max(now, end);
            return null;
        }
        tasks.remove();
        now = Math.max(now, first.at());
        return first;
    }
}
