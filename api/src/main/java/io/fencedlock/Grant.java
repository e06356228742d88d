package io.fencedlock;

import java.time.Duration;

/**
 * The immutable record of one successful acquisition. Thread-safe.
 *
 * @param name the lock
 * @param holder who acquired it
 * @param token the fencing token: positive, unique for the name, larger than that of every acquisition that had
 *     returned before this one was asked for
 * @param leaseTime the lease time granted
 * @param ref the backend's own reference to its entry
 */
public record Grant(LockName name, HolderId holder, long token, Duration leaseTime, BackendRef ref) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if the token or the lease time is not positive
     */
    public Grant {
        if (token <= 0) {
            throw new IllegalArgumentException("a token is positive, found " + token + " for lock " + name);
        }
        if (leaseTime.isNegative() || leaseTime.isZero()) {
            throw new IllegalArgumentException("a lease time is positive, found " + leaseTime + " for lock " + name);
        }
    }

    /**
     * What this grant shows to a fence.
     *
     * @return its token and holder
     */
    public FenceMark mark() {
        return new FenceMark(token, holder);
    }
}
