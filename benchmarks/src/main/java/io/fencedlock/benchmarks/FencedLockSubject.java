package io.fencedlock.benchmarks;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;

/** Us, on whatever store the server is. */
final class FencedLockSubject {

    static final String NAME = "fencedlock";

    private FencedLockSubject() {}

    static Subject onAnyStore() {
        return Subject.of(NAME, true, server -> {
            FencedLocks locks = FencedLocks.connect(server.url());
            return Subject.client(
                    name -> {
                        Lease lease = locks.get(name).acquire();
                        return lease::release;
                    },
                    locks);
        });
    }
}
