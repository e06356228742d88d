package io.fencedlock.benchmarks;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
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
                                return held::release;
                            },
                            name -> locks.get(name).acquireAsync().thenApply(held -> held::release),
                            locks);
                },
                Trait.WAITS,
                Trait.RENEWS,
                Trait.ASYNC);
    }
}
