package io.fencedlock.benchmarks;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param rounds rounds of each subject, interleaved with the others'
 * @param round how long one takes
 * @param leases how many are held, and names used, in W5 and W6
 */
record Scale(int rounds, Duration round, int leases) {

    static final Scale QUICK = new Scale(3, Duration.ofMillis(400), 1_000);
    static final Scale FULL = new Scale(9, Duration.ofSeconds(2), 10_000);
}
