package io.fencedlock.cli.replay;

import io.fencedlock.ManualClock;
import java.time.Duration;

/** A clock that is moved by hand. */
final class SteppedClock implements StageClock {
    private final ManualClock clock;

    SteppedClock(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void passUntil(long nanos) {
        clock.advance(Duration.ofNanos(Math.max(0, nanos - nanos())));
    }
}
