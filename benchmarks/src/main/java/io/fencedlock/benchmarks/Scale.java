package io.fencedlock.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param warmUp how long each subject works before anything is measured on its store
 * @param runs how often all is measured that is not run once, each time with new clients; what is told is the median
 * @param warmUps rounds of a run that do not count
 * @param rounds rounds of each subject in a run, interleaved with the others'
 * @param round how long one takes
 * @param leases how many are held, and names used, in W5, W6 and W8
 * @param window how long leases are watched while they are held
 * @param threads numbers of threads that work side by side
 * @param waiters numbers of clients that wait for one lock
 * @param processes the same, in processes of their own
 */
record Scale(
        Duration warmUp,
        int runs,
        int warmUps,
        int rounds,
        Duration round,
        int leases,
        Duration window,
        List<Integer> threads,
        List<Integer> waiters,
        List<Integer> processes) {

    static final Scale QUICK = new Scale(
            Duration.ofSeconds(1),
            1,
            1,
            2,
            Duration.ofMillis(250),
            1_000,
            Duration.ofSeconds(2),
            List.of(64),
            List.of(8),
            List.of());

    static final Scale FULL = new Scale(
            Duration.ofSeconds(5),
            3,
            1,
            3,
            Duration.ofMillis(600),
            10_000,
            Duration.ofSeconds(10),
            List.of(16, 64),
            List.of(2, 8, 32),
            List.of(2, 8));
}
