package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Does what another backend does; mutants override what they do wrong. */
class DelegateBackend implements FencedLockBackend {

    final FencedLockBackend right;

    DelegateBackend(FencedLockBackend right) {
        this.right = right;
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        return right.acquire(request);
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        return right.renew(grant);
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        return right.release(grant);
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        return right.abandon(name, holder);
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return right.inspect(name);
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return right.forceRelease(name, token);
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return right.raiseTokens(floor);
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
