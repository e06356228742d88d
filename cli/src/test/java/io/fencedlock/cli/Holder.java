package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;

/** A process of {@link StoresTest} that acquires a lock, says its token, and holds it until it is killed. {@code args}: url, lock name. */
final class Holder {

    private Holder() {}

    public static void main(String[] args) throws Exception {
        FencedLocks locks = FencedLocks.connect(args[0]);
        Lease lease = locks.get(args[1]).acquire();
        System.out.println(lease.token());
        Thread.currentThread().join();
    }
}
