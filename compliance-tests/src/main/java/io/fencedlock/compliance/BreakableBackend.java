package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendProfile;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A backend without a network, with the faults that a network has. */
final class BreakableBackend implements FencedLockBackend {

    /** What happens to requests. */
    enum Line {
        WHOLE,
        /** Nothing comes through, and nobody says so. */
        STALLED,
        /** Nothing listens at the other end. */
        REFUSED
    }

    private final FencedLockBackend backend;
    private volatile Line line;
    private volatile boolean loseNext;
    private volatile boolean killed;

    BreakableBackend(FencedLockBackend backend, Line line) {
        this.backend = backend;
        this.line = line;
    }

    void line(Line now) {
        line = now;
    }

    /** The connection breaks and is there again at once. */
    void kill() {
        killed = true;
    }

    boolean wasKilled() {
        return killed;
    }

    void loseNextReply() {
        loseNext = true;
    }

    private <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request) {
        return switch (line) {
            case STALLED -> new CompletableFuture<>();
            case REFUSED ->
                CompletableFuture.failedFuture(new BackendUnavailableException("nothing listens there", null));
            case WHOLE -> {
                CompletionStage<T> reply = request.get();
                if (loseNext) {
                    loseNext = false;
                    yield CompletableFuture.failedFuture(new OutcomeUnknownException("the reply was lost", null));
                }
                yield reply;
            }
        };
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        return send(() -> backend.acquire(request));
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        return send(() -> backend.renew(grant));
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        return send(() -> backend.release(grant));
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        return send(() -> backend.abandon(name, holder));
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return send(() -> backend.inspect(name));
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return send(() -> backend.forceRelease(name, token));
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return send(() -> backend.raiseTokens(floor));
    }

    @Override
    public BackendProfile profile() {
        return backend.profile();
    }

    @Override
    public void close() {
        backend.close();
    }
}
