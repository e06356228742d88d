package io.fencedlock;

import java.time.Duration;
import java.util.Optional;

/**
 * How a lock's leases live. Immutable and thread-safe.
 *
 * @param lease the lease time: how long the lock stays held when its holder dies, and when it is not renewed
 * @param renewed whether the library renews the lease until it is released
 * @param maxHold the longest time to hold it, renewed or not; then it is given back and told as lost
 */
public record LockOptions(Duration lease, boolean renewed, Optional<Duration> maxHold) {

    /**
     * Checks the times.
     *
     * @throws IllegalArgumentException if one is not positive or above 100 years
     */
    public LockOptions {
        DurationText.checked("lease", lease);
        maxHold.ifPresent(hold -> DurationText.checked("maxHold", hold));
    }

    /**
     * Renewed leases of a given time without a longest hold time.
     *
     * @param lease the lease time
     * @return the options
     */
    public static LockOptions lease(Duration lease) {
        return new LockOptions(lease, true, Optional.empty());
    }

    /**
     * The same with another lease time.
     *
     * @param time the lease time
     * @return new options
     */
    public LockOptions withLease(Duration time) {
        return new LockOptions(time, renewed, maxHold);
    }

    /**
     * The same without automatic renewal: a lease ends at its time unless {@link Lease#renew() renewed} by its holder.
     *
     * @return new options
     */
    public LockOptions withoutRenewal() {
        return new LockOptions(lease, false, maxHold);
    }

    /**
     * The same with a longest hold time.
     *
     * @param time the time
     * @return new options
     */
    public LockOptions withMaxHold(Duration time) {
        return new LockOptions(lease, renewed, Optional.of(time));
    }
}
