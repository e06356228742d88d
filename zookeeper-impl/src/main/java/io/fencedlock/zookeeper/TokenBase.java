package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The number that lifts this ensemble's zxids into the token space of all backends: the wall clock's µs when it was born, or last lifted, in a znode.
 *
 * <p>Cached under a watch: ZooKeeper delivers the event of a change before any reply that is later than the change, so the cache is
 * never behind what the session has seen. Thread-safe.
 */
final class TokenBase implements Watcher {

    private static final Clock WALL = Clock.systemUTC();

    private final ZkSettings settings;
    private final String path;
    private @Nullable ZkSession cachedOn;
    private @Nullable CompletableFuture<Long> cached;
    /** What the base is being lifted to. */
    private OptionalLong lifting = OptionalLong.empty();
    /** A base that has to be born anew, the ensemble's data or the znode being lost, is above. */
    private long highest;

    /** What the znode says, and which version of it. */
    private record Found(long number, int version) {}

    TokenBase(ZkSettings settings) {
        this.settings = settings;
        path = settings.paths().base();
    }

    /** The base, read once per session and after each change. */
    CompletableFuture<Long> on(ZkSession session) {
        CompletableFuture<Long> reading;
        synchronized (this) {
            if (cached != null && session.equals(cachedOn) && !cached.isCompletedExceptionally()) {
                return cached;
            }
            reading = new CompletableFuture<>();
            cached = reading;
            cachedOn = session;
        }
        read(session, this, TokenBase::micros, settings.retry()).whenComplete((found, failed) -> {
            if (failed == null) {
                reading.complete(found.number());
            } else {
                reading.completeExceptionally(failed);
            }
        });
        return reading;
    }

    /**
     * The base or, while it is being lifted, what it is to become if nobody else writes it meanwhile: requests of a session are done in order, so
     * what is made now is made after that.
     */
    CompletableFuture<Long> likely(ZkSession session) {
        synchronized (this) {
            if (lifting.isPresent()) {
                return CompletableFuture.completedFuture(lifting.getAsLong());
            }
        }
        return on(session);
    }

    /** Whether the base was read on this session, is this number, and has not changed since. */
    synchronized boolean is(ZkSession session, long number) {
        return cached != null
                && session.equals(cachedOn)
                && cached.isDone()
                && !cached.isCompletedExceptionally()
                && cached.join() == number;
    }

    /** The base has changed, or the connection has, behind which it may. */
    @Override
    public synchronized void process(WatchedEvent event) {
        cached = null;
    }

    /** Should the base be born anew, later tokens are above this one all the same. */
    synchronized void mustExceed(long token) {
        highest = Math.max(highest, token);
    }

    /** Reads the base, and bears it if there is none. */
    private CompletableFuture<Found> read(
            ZkSession session, @Nullable Watcher watcher, LongSupplier born, Retry retry) {
        return find(session, watcher)
                .exceptionallyCompose(retry.on(
                        Code.NONODE,
                        () -> bear(session, born.getAsLong(), retry)
                                .thenCompose(done -> read(session, watcher, born, retry))));
    }

    private CompletableFuture<Found> find(ZkSession session, @Nullable Watcher watcher) {
        return session.read(path, watcher)
                .thenApply(found -> new Found(number(found.text()), found.stat().getVersion()));
    }

    private CompletableFuture<Boolean> bear(ZkSession session, long born, Retry retry) {
        byte[] text;
        synchronized (this) {
            text = text(Math.max(highest, born));
        }
        return Parents.create(session, path, text, CreateMode.PERSISTENT, retry)
                .thenApply(created -> true)
                .exceptionallyCompose(ZkErrors.answer(Code.NODEEXISTS, true));
    }

    /**
     * Sees to it that tokens are not behind the wall clock: while this ensemble was not used, another store may have given out tokens that
     * follow the clock. So a resource can move there and back by configuration alone.
     *
     * @param write one that was sent just now on this session; answers its zxid. The base is asked for in the same flight
     * @return completes when the new base is on its way, with what completes when it is written
     */
    CompletableFuture<CompletableFuture<Void>> lift(ZkSession session, CompletableFuture<Long> write) {
        CompletableFuture<Optional<Found>> there = find(session, null)
                .thenApply(Optional::of)
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Optional.empty()));
        return write.thenCombine(there, (zxid, found) -> {
                    long floor = micros() - zxid;
                    return found.map(base -> CompletableFuture.completedFuture(lift(session, base, floor)))
                            .orElseGet(() -> raise(session, floor, () -> floor, settings.retry())
                                    .thenApply(CompletableFuture::completedFuture));
                })
                .thenCompose(Function.identity());
    }

    private CompletableFuture<Void> lift(ZkSession session, Found found, long floor) {
        synchronized (this) {
            lifting = found.number() < floor ? OptionalLong.of(floor) : OptionalLong.empty();
        }
        return raise(session, found, floor, settings.retry()).whenComplete((raised, failure) -> {
            synchronized (this) {
                lifting = OptionalLong.empty();
            }
        });
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, WALL.instant());
    }

    /** Sees to it that the base is at least a number. */
    CompletableFuture<Void> raise(ZkSession session, long floor) {
        return raise(session, floor, TokenBase::micros, settings.retry());
    }

    private CompletableFuture<Void> raise(ZkSession session, long floor, LongSupplier born, Retry retry) {
        return read(session, null, born, retry).thenCompose(found -> raise(session, found, floor, retry));
    }

    /** The new base is read in the flight that writes it. */
    private CompletableFuture<Void> raise(ZkSession session, Found found, long floor, Retry retry) {
        if (found.number() >= floor) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Stat> written = session.set(path, text(floor), found.version());
        var unused = on(session);
        return written.<Void>thenApply(stat -> null)
                .exceptionallyCompose(retry.on(Code.BADVERSION, () -> raise(session, floor, TokenBase::micros, retry)));
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BackendUnavailableException(
                    "znode " + path + " holds the base of all tokens, a number; found \"" + text + "\"", e);
        }
    }
}
