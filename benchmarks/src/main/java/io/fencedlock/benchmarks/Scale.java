package io.fencedlock.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds rounds of each subject, interleaved with the others'
 * @param round how long one takes
 * @param leases how many are held, and names used, in W5, W6 and W8
 * @param window how long leases are watched while they are held
 * @param processes numbers of waiters in processes of their own
 */
record Scale(int rounds, Duration round, int leases, Duration window, List<Integer> processes) {

    static final Scale QUICK = new Scale(3, Duration.ofMillis(400), 1_000, Duration.ofSeconds(4), List.of(2));
    static final Scale FULL = new Scale(9, Duration.ofSeconds(2), 10_000, Duration.ofSeconds(15), List.of(2, 8, 32));
}
