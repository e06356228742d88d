package io.fencedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A named lock with its options: cheap, stateless, nothing is kept for it between acquisitions. Thread-safe; one object may serve all threads,
 * each acquisition is a holder of its own (not re-entrant: a second try while a lease lives finds the lock held).
 *
 * <p>"Held by somebody else" is a value, not an exception. All methods that may fail throw
 *
 * <ul>
 *   <li>{@link BackendUnavailableException}: the backend was not reached in time; nothing happened,
 *   <li>{@link OutcomeUnknownException}: an answer was lost; the library goes on undoing the attempt in the background,
 *   <li>{@link IllegalStateException}: the client is closed.
 * </ul>
 *
 * A call that ended without a lease (empty, thrown, interrupted, cancelled) leaves nothing behind and never acquires later.
 */
public interface FencedLock {

    /**
     * The lock's name.
     *
     * @return the name
     */
    LockName name();

    /**
     * Acquires, waiting as long as others hold the lock.
     *
     * @return the lease
     * @throws InterruptedException if interrupted; nothing is left behind
     * @throws BackendUnavailableException if the backend could not be reached for a whole lease time
     */
    Lease acquire() throws InterruptedException;

    /**
     * Tries once, without waiting for another holder.
     *
     * @return the lease, or empty if another holds the lock
     * @throws InterruptedException if interrupted; nothing is left behind
     */
    Optional<Lease> tryAcquire() throws InterruptedException;

    /**
     * Acquires within a time that covers everything, network and failures included: the call returns after that time plus one command timeout
     * at the latest.
     *
     * @param maxWait zero or more
     * @return the lease, or empty if others held the lock to the end
     * @throws InterruptedException if interrupted; nothing is left behind
     * @throws IllegalArgumentException if the time is negative
     */
    Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * {@link #acquire()} without blocking.
     *
     * @return completes on the library's executor. Cancelling it gives up: what was granted meanwhile is given back
     */
    CompletableFuture<Lease> acquireAsync();

    /**
     * {@link #tryAcquire()} without blocking.
     *
     * @return completes on the library's executor. Cancelling it gives up: what was granted meanwhile is given back
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync();

    /**
     * {@link #tryAcquire(Duration)} without blocking.
     *
     * @param maxWait zero or more
     * @return completes on the library's executor. Cancelling it gives up: what was granted meanwhile is given back
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait);
}
