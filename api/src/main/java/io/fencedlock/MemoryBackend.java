package io.fencedlock;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One client's view of a {@link MemoryStore}. */
final class MemoryBackend implements FencedLockBackend {

    private static final BackendProfile PROFILE = BackendProfile.of(
                    "memory", "a counter that starts at the wall clock's µs")
            .lease(Duration.ofMillis(1), Duration.ofNanos(1))
            .liveness(BackendProfile.LeaseScope.PER_LOCK, Duration.ZERO)
            .leaseClock(BackendProfile.LeaseClock.MONOTONIC)
            .waiting(BackendProfile.QueueOrder.FIFO, MemoryStore.RECHECK)
            .tokensSurvive(EnumSet.of(TokenSurvival.CLIENT_RESTART, TokenSurvival.BACKEND_CHANGE))
            .notes("Lives and dies with its process: for tests, and for threads of one process.")
            .build();

    private final MemoryStore store;
    private volatile boolean closed;

    MemoryBackend(MemoryStore store) {
        this.store = store;
    }

    private <T> CompletionStage<T> unlessClosed(Supplier<T> action) {
        if (closed) {
            return CompletableFuture.failedFuture(new BackendUnavailableException("the backend is closed", null));
        }
        return CompletableFuture.completedFuture(action.get());
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        return unlessClosed(() -> store.acquire(request));
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        return unlessClosed(() -> store.renew(grant));
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        return unlessClosed(() -> store.release(grant.name(), grant.holder()));
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        return unlessClosed(() -> {
                    store.abandon(name, holder);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return unlessClosed(() -> store.inspect(name));
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return unlessClosed(() -> store.forceRelease(name, token));
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return unlessClosed(() -> {
                    store.raiseTokens(floor);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public BackendProfile profile() {
        return PROFILE;
    }

    @Override
    public void close() {
        closed = true;
    }
}
