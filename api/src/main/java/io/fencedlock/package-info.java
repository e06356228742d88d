/**
 * Distributed locks whose every grant carries a fencing token.
 *
 * <h2>Using locks</h2>
 *
 * {@link io.fencedlock.FencedLocks} is the client, {@link io.fencedlock.FencedLock} a named lock, {@link
 * io.fencedlock.Lease} the handle on one successful acquisition, {@link io.fencedlock.FencedRegister} and the
 * other fences the check that a resource makes with the token. Failures are the sealed {@link
 * io.fencedlock.FencedLockException}.
 *
 * <h2>Writing a backend</h2>
 *
 * Implement {@link io.fencedlock.FencedLockBackend} (one atomic try, renew, release, abandon, inspect, profile) and
 * register a {@link io.fencedlock.FencedLockProvider} with {@link java.util.ServiceLoader}. Waiting, deadlines,
 * retries, the undoing of unknown outcomes, renewal and loss are the engine's business and come for free.
 */
@NullMarked
package io.fencedlock;

import org.jspecify.annotations.NullMarked;
