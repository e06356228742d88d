package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.LockClock;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection up: connects, and connects anew when the connection is lost, again and again. Thread-safe.
 *
 * <p>Who needs the connection while the first attempt since then is under way waits for it, at most for the command timeout; after a failed
 * attempt everybody is refused at once, with its reason, until one succeeds.
 *
 * @param <C> what is connected
 */
final class Link<C> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final String target;
    private final Supplier<CompletionStage<C>> connector;
    private final Function<C, Optional<StatefulConnection<?, ?>>> watched;
    private final LockClock clock;
    private final Duration patience;

    /** Completed with the connection, or with why there is none, or pending. Written under this, under which all below is read as well. */
    private volatile CompletableFuture<C> current = new CompletableFuture<>();

    private @Nullable StatefulConnection<?, ?> connection;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private String lastReason = "";
    private boolean closed;

    Link(
            String target,
            Supplier<CompletionStage<C>> connector,
            Function<C, Optional<StatefulConnection<?, ?>>> watched,
            LockClock clock,
            Duration commandTimeout) {
        this.target = target;
        this.connector = connector;
        this.watched = watched;
        this.clock = clock;
        patience = commandTimeout.multipliedBy(9).dividedBy(10);
    }

    /** The connection, now or soon; or {@link BackendUnavailableException}. */
    CompletableFuture<C> get() {
        return current;
    }

    /** Begins to connect. */
    void start() {
        CompletableFuture<C> awaited;
        synchronized (this) {
            awaited = current;
        }
        attempt(awaited);
        clock.schedule(
                patience.toNanos(),
                () -> awaited.completeExceptionally(
                        unavailable("not connected yet after " + patience.toMillis() + " ms", null)));
    }

    private void attempt(CompletableFuture<C> awaited) {
        CompletionStage<C> attempt;
        synchronized (this) { // so that none is begun on a driver that is closed after us
            if (closed) {
                return;
            }
            try {
                attempt = connector.get();
            } catch (RuntimeException e) {
                attempt = CompletableFuture.failedFuture(e);
            }
        }
        var unused = attempt.whenComplete((made, failed) -> {
            if (failed == null) {
                connected(made, awaited);
            } else {
                failed(RedisErrors.reason(failed), failed, awaited);
            }
        });
    }

    private void connected(C made, CompletableFuture<C> awaited) {
        Optional<StatefulConnection<?, ?>> open = watched.apply(made);
        synchronized (this) {
            if (closed) {
                open.ifPresent(Link::close);
                return;
            }
            connection = open.orElse(null);
            pauseNanos = FIRST_PAUSE_NANOS;
            lastReason = "";
            current = CompletableFuture.completedFuture(made);
        }
        open.ifPresent(this::watch);
        awaited.complete(made);
    }

    private void watch(StatefulConnection<?, ?> open) {
        open.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                drop(open);
            }
        });
        if (!open.isOpen()) {
            drop(open);
        }
    }

    private void failed(String reason, @Nullable Throwable cause, CompletableFuture<C> awaited) {
        BackendUnavailableException refusal = unavailable(reason, cause);
        long pause;
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!reason.equals(lastReason)) {
                LOG.warn("{}", refusal.getMessage());
            }
            lastReason = reason;
            current = CompletableFuture.failedFuture(refusal);
            pause = pauseNanos + ThreadLocalRandom.current().nextLong(pauseNanos / 2);
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
        }
        awaited.completeExceptionally(refusal);
        clock.schedule(pause, () -> attempt(awaited));
    }

    /** Gives a connection up, which is lost, or does not answer, or answers for somebody else; if it was the present one, makes another. */
    void drop(StatefulConnection<?, ?> gone) {
        synchronized (this) {
            if (closed || connection != gone) {
                return;
            }
            connection = null;
            current = new CompletableFuture<>();
        }
        close(gone);
        start();
    }

    private BackendUnavailableException unavailable(String reason, @Nullable Throwable cause) {
        return new BackendUnavailableException("cannot use " + target + ": " + reason, cause);
    }

    private static void close(StatefulConnection<?, ?> open) {
        var unused = open.closeAsync();
    }

    /** Refuses everybody from now on. The connection itself ends with the driver. */
    @Override
    public void close() {
        CompletableFuture<C> waiting;
        BackendUnavailableException refusal = unavailable("the client is closed", null);
        synchronized (this) {
            closed = true;
            connection = null;
            waiting = current;
            current = CompletableFuture.failedFuture(refusal);
        }
        waiting.completeExceptionally(refusal);
    }
}
