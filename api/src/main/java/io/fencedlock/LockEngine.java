package io.fencedlock;

import java.time.Duration;
import java.util.Optional;

final class LockEngine implements FencedLocks {

    LockEngine(FencedLockBackend backend, LockOptions options, Duration commandTimeout, LockClock clock) {
        throw new UnsupportedOperationException(backend + " " + options + commandTimeout + clock);
    }

    @Override
    public FencedLock get(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FencedLock get(String name, LockOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockOptions options() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<HolderInfo> inspect(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Release forceRelease(String name, long token) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void raiseTokens(long floor) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BackendProfile profile() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
