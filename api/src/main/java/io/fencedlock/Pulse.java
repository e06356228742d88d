package io.fencedlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at everything that has a time, leases and requests, again and again while there is any.
 *
 * <p>One timer for all instead of one each: a timer per request and per lease would be set and cancelled, with a wake-up of the clock's thread,
 * in every uncontended acquisition. Each look also asks the clock for a suspension of the machine. Thread-safe.
 */
final class Pulse {

    private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** How often something is looked at within its own time: how late its end may be noticed, as a share of it. */
    private static final int LOOKS = 16;

    private final LockClock clock;
    private final Set<Timed> timed = ConcurrentHashMap.newKeySet();
    private final Set<Timed> failing = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean beating = new AtomicBoolean();
    private volatile long periodNanos = LONGEST_NANOS;

    /** What has a time. */
    interface Timed {

        /**
         * Does what is due; must not block.
         *
         * @param now a checked reading of the clock
         */
        void look(long now);
    }

    Pulse(LockClock clock) {
        this.clock = clock;
    }

    /** Sees to it that looks come often enough for things that take this long. */
    void adapt(Duration time) {
        long wanted = Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, time.toNanos() / LOOKS));
        if (wanted < periodNanos) {
            periodNanos = wanted;
        }
    }

    long periodNanos() {
        return periodNanos;
    }

    void add(Timed thing) {
        timed.add(thing);
        if (!beating.get() && beating.compareAndSet(false, true)) {
            clock.schedule(periodNanos, this::beat);
        }
    }

    void remove(Timed thing) {
        timed.remove(thing);
        failing.remove(thing);
    }

    private void beat() {
        if (timed.isEmpty()) {
            beating.set(false);
            if (timed.isEmpty() || !beating.compareAndSet(false, true)) {
                return;
            }
        }
        long now = clock.checkedNanos();
        timed.forEach(thing -> look(thing, now));
        clock.schedule(periodNanos, this::beat);
    }

    /** One that fails must not end the renewal of the others. */
    private void look(Timed thing, long now) {
        try {
            thing.look(now);
        } catch (RuntimeException e) {
            // At every look from now on: said in full once.
            if (failing.add(thing)) {
                LOG.error("{} could not be looked after", thing, e);
            }
        }
    }
}
