package io.fencedlock.torture;

import java.time.Duration;
import java.util.List;

/**
 * How long a waiter waited for a lock when its holder and the node that led were killed at the same time. Immutable and thread-safe.
 *
 * @param backend a word of {@link Torture#backends()}
 * @param place the store, in words
 * @param lease the lease time of the holder and of the waiter
 * @param seed decides how long the holder had held
 * @param tries one for each time, in their order, at least one
 */
public record Succession(String backend, String place, Duration lease, long seed, List<Try> tries) {

    /**
     * One time.
     *
     * @param election from the kill until another node led
     * @param grant from the kill until the waiter had the lock
     */
    public record Try(Duration election, Duration grant) {}

    /** Copies the list. */
    public Succession {
        tries = List.copyOf(tries);
    }

    /**
     * The usual time of an election, as measured.
     *
     * @return the median
     */
    public Duration election() {
        return median(tries.stream().map(Try::election).sorted().toList());
    }

    /**
     * The usual wait.
     *
     * @return the median
     */
    public Duration median() {
        return median(waits());
    }

    /**
     * The longest wait.
     *
     * @return the worst
     */
    public Duration worst() {
        List<Duration> waits = waits();
        return waits.get(waits.size() - 1);
    }

    private List<Duration> waits() {
        return tries.stream().map(Try::grant).sorted().toList();
    }

    private static Duration median(List<Duration> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    /**
     * How long the usual wait may be: the lease, two elections, and a second.
     *
     * @return the limit of the median
     */
    public Duration medianLimit() {
        return lease.plus(election().multipliedBy(2)).plusSeconds(1);
    }

    /**
     * How long the longest wait may be: the lease, three elections, and two seconds.
     *
     * @return the limit of the worst
     */
    public Duration worstLimit() {
        return lease.plus(election().multipliedBy(3)).plusSeconds(2);
    }

    /**
     * Whether both limits were kept.
     *
     * @return true if so
     */
    public boolean kept() {
        return median().compareTo(medianLimit()) <= 0 && worst().compareTo(worstLimit()) <= 0;
    }
}
