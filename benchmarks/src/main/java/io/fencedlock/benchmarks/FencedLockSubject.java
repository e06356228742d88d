package io.fencedlock.benchmarks;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.benchmarks.Subject.Trait;

/** Us, on whatever store the server is. */
final class FencedLockSubject {

    static final String NAME = "fencedlock";

    private FencedLockSubject() {}

    static Subject onAnyStore() {
        return Subject.of(
                NAME,
                (server, lease) -> {
                    FencedLocks locks = FencedLocks.connect(server.url() + "?lease=" + lease.toMillis() + "ms");
                    return Subject.client(
                            name -> {
                                Lease held = locks.get(name).acquire();
                                return () -> release(held);
                            },
                            name -> locks.get(name).acquireAsync().thenApply(held -> () -> release(held)),
                            locks);
                },
                Trait.WAITS,
                Trait.RENEWS,
                Trait.ASYNC);
    }

    /** As peers do: a lock that was lost is no success. */
    private static void release(Lease held) {
        Release found = held.release();
        if (found != Release.RELEASED) {
            throw new IllegalStateException(held + " was " + found + " at its release");
        }
    }
}
