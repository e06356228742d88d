package io.fencedlock;

import java.time.Duration;

/**
 * One try to acquire. Immutable and thread-safe.
 *
 * @param name the lock
 * @param holder who asks: the same for each repeated try of one acquisition
 * @param lease the lease time asked for
 * @param maxWait how much longer the caller is willing to wait. {@link Duration#ZERO}: not at all, so that a {@link
 *     Attempt.Held} answer must leave no queue entry and no subscription behind. Else the backend may queue the holder and
 *     subscribe, until {@link FencedLockBackend#abandon} is called
 */
public record AcquireRequest(LockName name, HolderId holder, Duration lease, Duration maxWait) {

    /**
     * Whether the caller will wait.
     *
     * @return false for a single try
     */
    public boolean waits() {
        return !maxWait.isZero();
    }
}
