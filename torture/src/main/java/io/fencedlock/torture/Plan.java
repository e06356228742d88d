package io.fencedlock.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to torture, how, and for how long. Immutable and thread-safe.
 *
 * @param backend a word of {@link Torture#backends()}, or with a URL any word to call it by
 * @param url a store of the user's, of which only the workers are harmed; empty for servers that are thrown away
 * @param faults words of {@link Torture#faults()}; empty for all that the backend allows
 * @param time how long; the phase that is under way is finished
 * @param workers how many processes contend
 * @param threads how many threads of each
 * @param seed decides which faults are caused, to whom, in which order and for how long
 * @param fencing whether the resource checks tokens
 * @param tokens {@code default}, or a value of the backend's option {@code tokens}
 * @param lease the lease time, raised to what the backend takes
 * @param serverFaults whether the user's store may be harmed, too, as far as that can be done through the library
 * @param report a folder for the report and the histories that break a law; empty for none
 */
public record Plan(
        String backend,
        Optional<String> url,
        List<String> faults,
        Duration time,
        int workers,
        int threads,
        long seed,
        boolean fencing,
        String tokens,
        Duration lease,
        boolean serverFaults,
        Optional<Path> report) {

    /**
     * Checks the numbers and copies the list.
     *
     * @throws IllegalArgumentException if there are fewer than two workers, no threads, or the time is not positive
     */
    public Plan {
        faults = List.copyOf(faults);
        if (workers < 2) {
            throw new IllegalArgumentException("at least 2 workers contend for a lock, found " + workers);
        }
        if (threads < 1) {
            throw new IllegalArgumentException("each worker has at least 1 thread, found " + threads);
        }
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("the time to torture is positive, found " + time);
        }
    }

    /**
     * Four workers with the library's own tokens and the fence on, all faults.
     *
     * @param backend a word of {@link Torture#backends()}
     * @param time how long
     * @param seed any number
     * @return the plan
     */
    public static Plan of(String backend, Duration time, long seed) {
        return new Plan(
                backend,
                Optional.empty(),
                List.of(),
                time,
                4,
                2,
                seed,
                true,
                "default",
                Duration.ofSeconds(3),
                false,
                Optional.empty());
    }

    /**
     * Sets which faults to cause.
     *
     * @param names words of {@link Torture#faults()}
     * @return the changed copy
     */
    public Plan faults(String... names) {
        return new Plan(
                backend,
                url,
                List.of(names),
                time,
                workers,
                threads,
                seed,
                fencing,
                tokens,
                lease,
                serverFaults,
                report);
    }

    /**
     * Sets how many processes contend.
     *
     * @param count at least two
     * @return the changed copy
     */
    public Plan workers(int count) {
        return new Plan(backend, url, faults, time, count, threads, seed, fencing, tokens, lease, serverFaults, report);
    }

    /**
     * Sets how many threads of each process contend.
     *
     * @param count at least one
     * @return the changed copy
     */
    public Plan threads(int count) {
        return new Plan(backend, url, faults, time, workers, count, seed, fencing, tokens, lease, serverFaults, report);
    }

    /**
     * Lets the resource accept every write.
     *
     * @return the changed copy
     */
    public Plan withoutFence() {
        return new Plan(backend, url, faults, time, workers, threads, seed, false, tokens, lease, serverFaults, report);
    }

    /**
     * Sets where tokens come from.
     *
     * @param source a value of the backend's option {@code tokens}
     * @return the changed copy
     */
    public Plan tokens(String source) {
        return new Plan(
                backend, url, faults, time, workers, threads, seed, fencing, source, lease, serverFaults, report);
    }

    /**
     * Sets the lease time.
     *
     * @param leaseTime raised to what the backend takes
     * @return the changed copy
     */
    public Plan lease(Duration leaseTime) {
        return new Plan(
                backend, url, faults, time, workers, threads, seed, fencing, tokens, leaseTime, serverFaults, report);
    }
}
