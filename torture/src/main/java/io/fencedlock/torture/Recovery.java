package io.fencedlock.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long it took after a kind of fault was healed until every lock had been granted again. Immutable and thread-safe.
 *
 * @param times one for each fault of this kind, in ascending order, at least one
 * @param silence the longest time, from the fault on, in which no lock was granted at all
 */
public record Recovery(List<Duration> times, Duration silence) {
    /** Sorts and copies. */
    public Recovery {
        times = times.stream().sorted().toList();
    }

    Recovery and(Duration time, Duration silent) {
        List<Duration> more = new ArrayList<>(times);
        more.add(time);
        return new Recovery(more, silent.compareTo(silence) > 0 ? silent : silence);
    }

    /**
     * The middle one.
     *
     * @return the median
     */
    public Duration median() {
        return times.get(times.size() / 2);
    }

    /**
     * The longest.
     *
     * @return the worst
     */
    public Duration worst() {
        return times.get(times.size() - 1);
    }
}
