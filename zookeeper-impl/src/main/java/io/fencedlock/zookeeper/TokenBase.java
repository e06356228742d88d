package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The number that lifts this ensemble's zxids into the token space of all backends: the wall clock's µs when it was born, in a znode.
 *
 * <p>Cached under a watch: ZooKeeper delivers the event of a change before any reply that is later than the change, so the cache is
 * never behind the create whose zxid it lifts. Thread-safe.
 */
final class TokenBase {

    private final ZkPaths paths;
    private @Nullable ZkSession cachedOn;
    private @Nullable CompletableFuture<Long> cached;
    /** A base that has to be born anew, the ensemble's data or the znode being lost, is above. */
    private long highest;

    TokenBase(ZkPaths paths) {
        this.paths = paths;
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
        read(session, event -> forget(reading)).whenComplete((base, failed) -> {
            if (failed == null) {
                reading.complete(base);
            } else {
                forget(reading);
                reading.completeExceptionally(failed);
            }
        });
        return reading;
    }

    /** Should the base be born anew, later tokens are above this one all the same. */
    synchronized void mustExceed(long token) {
        highest = Math.max(highest, token);
    }

    private synchronized void forget(CompletableFuture<Long> reading) {
        if (cached == reading) {
            cached = null;
        }
    }

    private CompletableFuture<Long> read(ZkSession session, @Nullable Watcher watcher) {
        return session.read(paths.base(), watcher)
                .thenApply(found -> number(found.text()))
                .exceptionallyCompose(ZkErrors.instead(
                        Code.NONODE, () -> bear(session).thenCompose(born -> read(session, watcher))));
    }

    private CompletableFuture<Boolean> bear(ZkSession session) {
        long born;
        synchronized (this) {
            born = Math.max(highest, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
        }
        return Parents.create(session, paths.base(), text(born), CreateMode.PERSISTENT)
                .thenApply(created -> true)
                .exceptionallyCompose(ZkErrors.answer(Code.NODEEXISTS, true));
    }

    /** Sees to it that the base is at least a number. */
    CompletableFuture<Void> raise(ZkSession session, long floor) {
        return read(session, null)
                .thenCompose(seen -> session.read(paths.base()))
                .thenCompose(found -> number(found.text()) >= floor
                        ? CompletableFuture.<Void>completedFuture(null)
                        : session.set(paths.base(), text(floor), found.stat().getVersion())
                                .<Void>thenApply(stat -> null)
                                .exceptionallyCompose(ZkErrors.instead(Code.BADVERSION, () -> raise(session, floor))));
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BackendUnavailableException(
                    "znode " + paths.base() + " holds the base of all tokens, a number; found \"" + text + "\"", e);
        }
    }
}
