package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockOptions;
import io.fencedlock.Release;
import java.util.Optional;

/** Does what another client does; mutants override what they do wrong. */
class DelegateLocks implements FencedLocks {

    final FencedLocks right;

    DelegateLocks(FencedLocks right) {
        this.right = right;
    }

    /** Every lock passes here. */
    FencedLock wrap(FencedLock lock) {
        return lock;
    }

    @Override
    public FencedLock get(String name) {
        return wrap(right.get(name));
    }

    @Override
    public FencedLock get(String name, LockOptions options) {
        return wrap(right.get(name, options));
    }

    @Override
    public LockOptions options() {
        return right.options();
    }

    @Override
    public Optional<HolderInfo> inspect(String name) throws InterruptedException {
        return right.inspect(name);
    }

    @Override
    public Release forceRelease(String name, long token) throws InterruptedException {
        return right.forceRelease(name, token);
    }

    @Override
    public void raiseTokens(long floor) throws InterruptedException {
        right.raiseTokens(floor);
    }

    @Override
    public BackendProfile profile() {
        return right.profile();
    }

    @Override
    public void close() {
        right.close();
    }
}
