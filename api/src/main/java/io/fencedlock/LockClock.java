package io.fencedlock;

/**
 * The time by which leases are reckoned: monotonic, and it goes on while the machine is suspended. Nothing else in the library reads a
 * clock. Thread-safe.
 *
 * <p>{@link ManualClock} is the one for tests.
 */
public interface LockClock {

    /**
     * The real clock, for a backend that the program makes by itself.
     *
     * @return a clock with one daemon thread, which ends with the client that uses it
     */
    static LockClock system() {
        return new SystemClock();
    }

    /**
     * The present reading, cheap. A suspension of the machine may show with a short delay.
     *
     * @return nanoseconds; only differences mean anything
     */
    long nanos();

    /**
     * The present reading after looking for a suspension of the machine, at the cost of some microseconds. What decides whether a lease is
     * valid uses this one.
     *
     * @return nanoseconds; only differences mean anything
     */
    long checkedNanos();

    /**
     * How many jumps of the wall clock were seen that may have been a suspension. Where the system has a clock that counts
     * suspensions it stays 0. A lease confirmed before a jump is doubtful until a renewal sent after it is acknowledged.
     *
     * @return the number of jumps so far
     */
    long doubts();

    /**
     * Runs a task later, on the clock's own thread: it must not block. Tasks run in the order of their times.
     *
     * @param delayNanos nanoseconds from now; zero or less runs it as soon as can be
     * @param task what to run; what it throws is logged
     * @return a handle that cancels it
     */
    Timer schedule(long delayNanos, Runnable task);

    /** A task that waits for its time. */
    interface Timer {

        /** Sees to it that the task does not start any more. Idempotent, does not wait for a task that runs. */
        void cancel();
    }
}
