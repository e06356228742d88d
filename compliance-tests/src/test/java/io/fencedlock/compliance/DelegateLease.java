package io.fencedlock.compliance;

import io.fencedlock.FenceMark;
import io.fencedlock.Grant;
import io.fencedlock.Lease;
import io.fencedlock.LossReason;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Does what another lease does; mutants override what they do wrong. */
class DelegateLease implements Lease {

    final Lease right;

    DelegateLease(Lease right) {
        this.right = right;
    }

    @Override
    public Grant grant() {
        return right.grant();
    }

    @Override
    public long token() {
        return right.token();
    }

    @Override
    public FenceMark mark() {
        return right.mark();
    }

    @Override
    public Duration remaining() {
        return right.remaining();
    }

    @Override
    public boolean isValid() {
        return right.isValid();
    }

    @Override
    public void ensureValid() {
        right.ensureValid();
    }

    @Override
    public void renew() throws InterruptedException {
        right.renew();
    }

    @Override
    public CompletableFuture<Void> renewAsync() {
        return right.renewAsync();
    }

    @Override
    public Release release() {
        return right.release();
    }

    @Override
    public CompletableFuture<Release> releaseAsync() {
        return right.releaseAsync();
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return right.lost();
    }

    @Override
    public Lease onLost(Consumer<LossReason> callback) {
        right.onLost(callback);
        return this;
    }

    @Override
    public void close() {
        right.close();
    }
}
