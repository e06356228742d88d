package io.fencedlock.redis;

import io.fencedlock.LockClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a node that did not answer is asked again, when enough others have answered already: to remove what ends by its own time otherwise.
 * Thread-safe.
 */
final class Leftovers implements AutoCloseable {

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final LockClock clock;
    private volatile boolean closed;

    Leftovers(LockClock clock) {
        this.clock = clock;
    }

    /** Sends a request, again and again until it is answered or the time is over. */
    void remove(Supplier<CompletableFuture<?>> request, Duration time) {
        send(request, clock.nanos() + time.toNanos(), FIRST_PAUSE);
    }

    private void send(Supplier<CompletableFuture<?>> request, long until, long pause) {
        if (closed) {
            return;
        }
        var unused = request.get().whenComplete((done, failed) -> {
            if (failed != null && clock.nanos() + pause - until < 0) {
                clock.schedule(pause, () -> send(request, until, Math.min(LONGEST_PAUSE, 2 * pause)));
            }
        });
    }

    @Override
    public void close() {
        closed = true;
    }
}
