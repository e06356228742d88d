package io.fencedlock.zookeeper;

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
    /** Never falls below, should the znode be deleted by hand. */
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

    private synchronized void forget(CompletableFuture<Long> reading) {
        if (cached == reading) {
            cached = null;
        }
    }

    private CompletableFuture<Long> read(ZkSession session, @Nullable Watcher watcher) {
        return session.read(paths.base(), watcher)
                .thenApply(found -> remember(parse(found.text())))
                .exceptionallyCompose(failure -> ZkErrors.is(failure, Code.NONODE)
                        ? bear(session).thenCompose(born -> read(session, watcher))
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Boolean> bear(ZkSession session) {
        long born;
        synchronized (this) {
            born = Math.max(highest, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
        }
        return Parents.create(session, paths.base(), text(born), CreateMode.PERSISTENT)
                .thenApply(created -> true)
                .exceptionallyCompose(failure -> ZkErrors.is(failure, Code.NODEEXISTS)
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Sees to it that the base is at least a number. */
    CompletableFuture<Void> raise(ZkSession session, long floor) {
        return read(session, null)
                .thenCompose(seen -> session.read(paths.base()))
                .thenCompose(found -> parse(found.text()) >= floor
                        ? CompletableFuture.<Void>completedFuture(null)
                        : session.set(paths.base(), text(floor), found.stat().getVersion())
                                .<Void>thenApply(stat -> null)
                                .exceptionallyCompose(failure -> ZkErrors.is(failure, Code.BADVERSION)
                                        ? raise(session, floor)
                                        : CompletableFuture.failedFuture(failure)));
    }

    private synchronized long remember(long base) {
        highest = Math.max(highest, base);
        return base;
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private static long parse(String text) {
        return Long.parseLong(text);
    }
}
