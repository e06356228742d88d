package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Does what another lock does; mutants override what they do wrong. */
class DelegateLock implements FencedLock {

    final FencedLock right;

    DelegateLock(FencedLock right) {
        this.right = right;
    }

    /** Every lease passes here. */
    Lease wrap(Lease lease) {
        return lease;
    }

    @Override
    public LockName name() {
        return right.name();
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return wrap(right.acquire());
    }

    @Override
    public Optional<Lease> tryAcquire() throws InterruptedException {
        return right.tryAcquire().map(this::wrap);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return right.tryAcquire(maxWait).map(this::wrap);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return mapped(right.acquireAsync(), this::wrap);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return mapped(right.tryAcquireAsync(), lease -> lease.map(this::wrap));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return mapped(right.tryAcquireAsync(maxWait), lease -> lease.map(this::wrap));
    }

    /** Mapped, with its cancellation passed on. */
    private static <A, B> CompletableFuture<B> mapped(CompletableFuture<A> from, Function<A, B> map) {
        CompletableFuture<B> to = from.thenApply(map);
        to.whenComplete((value, failed) -> {
            if (failed instanceof CancellationException) {
                from.cancel(true);
            }
        });
        return to;
    }
}
