package io.fencedlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real clock: {@link System#nanoTime}, corrected by what it misses while the machine is suspended. On Linux {@code /proc/uptime} counts
 * suspension and is never stepped, so a lag of nanoTime behind it is a suspension. Elsewhere the wall clock is the only witness, and a jump of it only
 * raises a doubt. Has one daemon thread for its timers.
 */
final class SystemClock implements LockClock {

    private static final Logger LOG = LoggerFactory.getLogger(SystemClock.class);
    private static final Path UPTIME = Path.of("/proc/uptime");
    /** More than the resolution of /proc/uptime (10 ms) and a preempted thread between the two readings explain. */
    private static final long SUSPENSION_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long WALL_JUMP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ScheduledThreadPoolExecutor timers;
    private final boolean uptimeReadable;
    private final AtomicLong suspendedNanos = new AtomicLong();
    private final AtomicLong doubts = new AtomicLong();
    private volatile long lag;

    SystemClock() {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "fencedlock-clock");
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        uptimeReadable = Files.isReadable(UPTIME);
        lag = witness() - System.nanoTime();
    }

    @Override
    public long nanos() {
        return System.nanoTime() + suspendedNanos.get();
    }

    @Override
    public long checkedNanos() {
        long before = System.nanoTime();
        long nowLag = witness() - before;
        long grown = nowLag - lag;
        if (uptimeReadable) {
            if (grown > SUSPENSION_NANOS) {
                noteSuspension(nowLag);
            }
        } else if (Math.abs(grown) > WALL_JUMP_NANOS) {
            lag = nowLag;
            doubts.incrementAndGet();
        }
        return nanos();
    }

    private synchronized void noteSuspension(long nowLag) {
        long grown = nowLag - lag;
        if (grown > SUSPENSION_NANOS) {
            lag = nowLag;
            suspendedNanos.addAndGet(grown);
            LOG.warn("the machine was suspended for about {} ms", TimeUnit.NANOSECONDS.toMillis(grown));
        }
    }

    @Override
    public long doubts() {
        return doubts.get();
    }

    /** The second clock: uptime where there is one, else the wall clock. */
    private long witness() {
        if (!uptimeReadable) {
            return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        }
        try {
            String text = Files.readString(UPTIME);
            return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * 1e9);
        } catch (IOException e) {
            return System.nanoTime() + lag;
        }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("a timer task failed", e);
            }
        };
        try {
            Future<?> future = timers.schedule(guarded, delayNanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    void close() {
        timers.shutdownNow();
    }
}
