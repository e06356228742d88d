package io.fencedlock.cli.replay;

import java.util.concurrent.TimeUnit;

/** The time that passes. */
final class RealClock implements StageClock {

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void passUntil(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos - nanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while time passes", e);
        }
    }
}
