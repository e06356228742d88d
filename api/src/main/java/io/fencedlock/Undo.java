package io.fencedlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that has to be taken back on the server: sent again and again until the backend confirms it, or until what it takes back has
 * ended by its own time.
 */
final class Undo {

    private static final Logger LOG = LoggerFactory.getLogger(Undo.class);
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LockEngine engine;
    private final String what;
    private final Supplier<CompletionStage<?>> request;
    private final long giveUpAt;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long backoffNanos = FIRST_BACKOFF_NANOS;

    Undo(LockEngine engine, String what, Supplier<CompletionStage<?>> request, long giveUpAt) {
        this.engine = engine;
        this.what = what;
        this.request = request;
        this.giveUpAt = giveUpAt;
    }

    /** Completes, normally, when there is nothing more to do. */
    CompletableFuture<Void> done() {
        return done;
    }

    void send() {
        engine.requests()
                .send(() -> what, () -> request.get().thenApply(answer -> true))
                .whenComplete((answer, failed) -> {
                    if (failed == null) {
                        done.complete(null);
                    } else {
                        again(failed);
                    }
                });
    }

    private void again(Throwable failed) {
        long wait = backoffNanos;
        backoffNanos = Math.min(LONGEST_BACKOFF_NANOS, 2 * wait);
        if (engine.isClosed() || engine.clock().nanos() + wait - giveUpAt >= 0) {
            LOG.warn("{} could not be confirmed and ends by its own time: {}", what, failed.getMessage());
            done.complete(null);
        } else {
            LOG.debug("{} is repeated: {}", what, failed.getMessage());
            engine.clock().schedule(wait, this::send);
        }
    }
}
