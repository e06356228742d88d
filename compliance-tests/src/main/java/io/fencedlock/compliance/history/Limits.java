package io.fencedlock.compliance.history;

import java.time.Duration;

/**
 * The times that a checked history has to keep. Immutable and thread-safe.
 *
 * @param commandTimeout how much longer than its wait a try may take
 * @param dropTold within which time a holder is told that the store dropped its entry
 * @param tolerance what the scheduling of threads and processes may add to any of them
 */
public record Limits(Duration commandTimeout, Duration dropTold, Duration tolerance) {

    /** One second for the command, six for a dropped entry (a third of the default lease and a command), and half a second of tolerance. */
    public static final Limits DEFAULT =
            new Limits(Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofMillis(500));
}
