package io.fencedlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the backend so that each is answered within the command timeout and fails in one of two ways only. Thread-safe.
 */
final class Requests {

    private final Pulse pulse;
    private final LockClock clock;
    private final Duration timeout;

    Requests(Pulse pulse, LockClock clock, Duration timeout) {
        this.pulse = pulse;
        this.clock = clock;
        this.timeout = timeout;
        pulse.adapt(timeout);
    }

    /**
     * Sends one.
     *
     * @param what for messages: "acquire of lock a"
     * @param send calls the backend
     * @return completes with the answer, {@link BackendUnavailableException} or {@link OutcomeUnknownException}, unwrapped
     */
    <T> CompletableFuture<T> send(Supplier<String> what, Supplier<CompletionStage<T>> send) {
        CompletionStage<T> stage = sent(send);
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (stage instanceof CompletableFuture<T> future && future.isDone()) {
            future.whenComplete((value, failure) -> settle(answer, what, value, failure));
            return answer;
        }
        Limit limit = new Limit(clock.nanos() + timeout.toNanos(), what, answer);
        pulse.add(limit);
        stage.whenComplete((value, failure) -> {
            pulse.remove(limit);
            settle(answer, what, value, failure);
        });
        return answer;
    }

    private static <T> CompletionStage<T> sent(Supplier<CompletionStage<T>> send) {
        try {
            return send.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <T> void settle(
            CompletableFuture<T> answer, Supplier<String> what, T value, @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(named(what, failure));
        }
    }

    private static FencedLockException named(Supplier<String> what, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BackendUnavailableException || cause instanceof OutcomeUnknownException) {
            return (FencedLockException) cause;
        }
        return unknown(what.get(), cause);
    }

    /** Whatever else a backend throws may have happened. */
    static OutcomeUnknownException unknown(String what, @Nullable Throwable cause) {
        return new OutcomeUnknownException(what + " failed in the backend: " + cause, cause);
    }

    /**
     * Waits for an answer on the caller's thread.
     *
     * @throws FencedLockException with the caller's stack trace, and that of the answering thread as its cause
     */
    static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw forCaller(e);
        }
    }

    static RuntimeException forCaller(ExecutionException e) {
        Throwable cause = e.getCause();
        String message = String.valueOf(cause == null ? e : cause.getMessage());
        if (cause instanceof BackendUnavailableException) {
            return new BackendUnavailableException(message, cause);
        }
        if (cause instanceof LeaseLostException lost) {
            return new LeaseLostException(lost.grant(), lost.reason());
        }
        if (cause instanceof IllegalStateException) {
            return new IllegalStateException(message, cause);
        }
        if (cause != null && cause.getCause() instanceof UnsupportedOperationException refused) {
            return new UnsupportedOperationException(refused.getMessage(), cause);
        }
        return new OutcomeUnknownException(message, cause);
    }

    /** Ends the wait for an answer that does not come. */
    private final class Limit implements Pulse.Timed {

        private final long deadline;
        private final Supplier<String> what;
        private final CompletableFuture<?> answer;

        private Limit(long deadline, Supplier<String> what, CompletableFuture<?> answer) {
            this.deadline = deadline;
            this.what = what;
            this.answer = answer;
        }

        @Override
        public void look(long now) {
            if (now - deadline >= 0) {
                pulse.remove(this);
                answer.completeExceptionally(new OutcomeUnknownException(
                        what.get() + " was not answered within " + timeout.toMillis() + " ms", null));
            }
        }
    }
}
