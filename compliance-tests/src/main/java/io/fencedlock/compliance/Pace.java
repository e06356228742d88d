package io.fencedlock.compliance;

import io.fencedlock.ManualClock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How time passes for a target: by itself, or by a test's clock that the suite moves. Thread-safe. */
public interface Pace {

    /**
     * The present reading.
     *
     * @return nanoseconds; only differences mean anything
     */
    long nanos();

    /** Lets a little time pass, after what runs has come to rest. */
    void tick();

    /**
     * What the scheduling of threads may add to any time.
     *
     * @return the tolerance of all measurements, before the multiplier
     */
    Duration grace();

    /**
     * A last look at a condition whose time is over. Where the clock stands still by itself, threads get a moment to do what was due.
     *
     * @param condition what should have happened
     * @return whether it has
     */
    default boolean lastLook(BooleanSupplier condition) {
        return condition.getAsBoolean();
    }

    /**
     * Real time.
     *
     * @return the default of every target
     */
    static Pace real() {
        return RealPace.INSTANCE;
    }

    /**
     * The time of a clock that stands still by itself: a suite of minutes runs in seconds.
     *
     * @param clock the clock of the target's store and clients
     * @return moves the clock whenever the suite waits
     */
    static Pace of(ManualClock clock) {
        return new SteppedPace(clock);
    }
}
