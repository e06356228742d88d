package io.fencedlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** An in-memory backend whose answers a test may delay, lose or replace, one request at a time. */
final class ScriptedBackend implements FencedLockBackend {

    final List<String> calls = new ArrayList<>();
    final Queue<Function<CompletionStage<?>, CompletionStage<?>>> script = new ArrayDeque<>();
    private final FencedLockBackend real;

    ScriptedBackend(MemoryStore store) {
        real = store.backend();
    }

    /** The request is done, its answer is an error. */
    static Function<CompletionStage<?>, CompletionStage<?>> lost() {
        return answer -> CompletableFuture.failedFuture(new OutcomeUnknownException("reply lost", null));
    }

    /** The request is done, its answer never comes. */
    static Function<CompletionStage<?>, CompletionStage<?>> silence() {
        return answer -> new CompletableFuture<>();
    }

    /** The request is done, its answer comes when the gate opens. */
    static Function<CompletionStage<?>, CompletionStage<?>> after(CompletionStage<?> gate) {
        return answer -> gate.thenCompose(open -> answer);
    }

    @SuppressWarnings("unchecked")
    private <T> CompletionStage<T> played(String call, java.util.function.Supplier<CompletionStage<T>> request) {
        calls.add(call);
        Function<CompletionStage<?>, CompletionStage<?>> step = script.poll();
        return step == null ? request.get() : (CompletionStage<T>) step.apply(request.get());
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        return played("acquire " + request.holder(), () -> real.acquire(request));
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        return played("renew", () -> real.renew(grant));
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        return played("release", () -> real.release(grant));
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        return played("abandon " + holder, () -> real.abandon(name, holder));
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return real.inspect(name);
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return real.forceRelease(name, token);
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return real.raiseTokens(floor);
    }

    @Override
    public BackendProfile profile() {
        return real.profile();
    }

    @Override
    public void close() {
        real.close();
    }
}
