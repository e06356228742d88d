package io.fencedlock.benchmarks.peers;

import io.fencedlock.FencedLock;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A lock object of another library, with our face. */
final class PeerLock implements FencedLock {

    private final PeerClient client;
    private final String name;
    private final PeerMutex mutex;

    PeerLock(PeerClient client, String name, PeerMutex mutex) {
        this.client = client;
        this.name = name;
        this.mutex = mutex;
    }

    @Override
    public LockName name() {
        return new LockName(name); // not before: whether a wrong name is refused is the library's business
    }

    private Lease lease(PeerHold hold) {
        return new PeerLease(client, name(), hold);
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return PeerLocks.call(client, () -> lease(mutex.acquire()));
    }

    @Override
    public Optional<Lease> tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return PeerLocks.call(client, () -> mutex.tryAcquire(maxWait).map(this::lease));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        CompletableFuture<PeerHold> asked = mutex.acquireAsync();
        CompletableFuture<Lease> answer = asked.handle((hold, thrown) -> {
            if (thrown != null) {
                throw new CompletionException(client.translated(thrown));
            }
            return lease(hold);
        });
        answer.whenComplete((lease, thrown) -> {
            if (thrown instanceof CancellationException) {
                asked.cancel(true);
            }
        });
        return answer;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return tryAcquireAsync(Duration.ZERO);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return PeerLease.inThread(() -> tryAcquire(maxWait));
    }
}
