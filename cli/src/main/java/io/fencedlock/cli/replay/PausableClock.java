package io.fencedlock.cli.replay;

import io.fencedlock.LockClock;
import java.util.ArrayList;
import java.util.List;

/** What a process sees of the time that can be paused: time goes on, but nothing of what was due is run before it is resumed. */
final class PausableClock implements LockClock {
    private final LockClock world;
    private final List<Runnable> overdue = new ArrayList<>();
    private boolean paused;

    PausableClock(LockClock world) {
        this.world = world;
    }

    @Override
    public long nanos() {
        return world.nanos();
    }

    @Override
    public long checkedNanos() {
        return world.checkedNanos();
    }

    @Override
    public long doubts() {
        return world.doubts();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        return world.schedule(delayNanos, () -> {
            synchronized (this) {
                if (paused) {
                    overdue.add(task);
                    return;
                }
            }
            task.run();
        });
    }

    synchronized void pause() {
        paused = true;
    }

    /** Runs what is overdue, as the threads of a resumed process would. */
    void resume() {
        List<Runnable> due;
        synchronized (this) {
            paused = false;
            due = List.copyOf(overdue);
            overdue.clear();
        }
        due.forEach(Runnable::run);
    }
}
