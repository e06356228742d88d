package io.fencedlock.compliance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

final class RealPace implements Pace {

    static final RealPace INSTANCE = new RealPace();

    private static final long TICK_NANOS = Duration.ofMillis(2).toNanos();

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void tick() {
        LockSupport.parkNanos(TICK_NANOS);
    }

    @Override
    public Duration grace() {
        return Duration.ofMillis(400);
    }
}
