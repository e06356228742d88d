package io.fencedlock.compliance;

import io.fencedlock.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Moves manual clocks. Before each step it waits until the threads of the library and of the suite's workers rest, so that what a step has
 * started happens at its time. A thread that was just woken still looks at rest until the system runs it: hence several looks, a look
 * during which this thread itself was kept waiting does not count, and where the system can be asked it has the last word.
 */
final class SteppedPace implements Pace {

    private static final Duration STEP = Duration.ofMillis(20);
    private static final long LOOK_NANOS = 20_000;
    private static final long STARVED_NANOS = 1_500_000;
    private static final int QUIET_LOOKS = 2;
    private static final long PATIENCE_NANOS = Duration.ofMillis(300).toNanos();

    private static final String LIBRARY = "fencedlock";

    private final WokenThreads woken = new WokenThreads(LIBRARY, Workers.NAME);
    private final ManualClock clock;
    private final List<ManualClock> followers = new CopyOnWriteArrayList<>();

    SteppedPace(ManualClock clock) {
        this.clock = clock;
    }

    /** Adds a clock that goes with the first one. */
    void follow(ManualClock other) {
        followers.add(other);
    }

    /** Lets a clock stand still: its process is paused. */
    void leave(ManualClock other) {
        followers.remove(other);
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void tick() {
        settle();
        clock.advance(STEP);
        followers.forEach(follower -> follower.advance(STEP));
        settle();
    }

    @Override
    public boolean lastLook(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    @Override
    public Duration grace() {
        return Duration.ofMillis(100);
    }

    private void settle() {
        boolean outside = !isOurs(Thread.currentThread());
        int quiet = 0;
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (long before = System.nanoTime(); quiet < QUIET_LOOKS && before < end; before = System.nanoTime()) {
            LockSupport.parkNanos(LOOK_NANOS);
            boolean starved = System.nanoTime() - before > STARVED_NANOS;
            quiet = starved || busy() || (outside && quiet + 1 == QUIET_LOOKS && woken.any()) ? 0 : quiet + 1;
        }
    }

    private static boolean busy() {
        Thread[] threads = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (threads[i] != Thread.currentThread() && isOurs(threads[i]) && isRunning(threads[i].getState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOurs(Thread thread) {
        return thread.getName().startsWith(LIBRARY) || thread.getName().startsWith(Workers.NAME);
    }

    private static boolean isRunning(Thread.State state) {
        return state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED || state == Thread.State.NEW;
    }
}
