package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import java.util.concurrent.CompletableFuture;

/** Makes a token of a contender's node. Thread-safe. */
final class Tokens {

    private final TokenSource source;
    private final TokenBase base;

    Tokens(TokenSource source, TokenBase base) {
        this.source = source;
        this.base = base;
    }

    /** Asked only after the create's reply, so that the base is not older than the zxid. */
    CompletableFuture<Long> of(ZkSession session, Contender.Place place) {
        return of(session, place.path(), place.zxid());
    }

    CompletableFuture<Long> of(ZkSession session, String path, long zxid) {
        if (zxid <= 0) {
            return session.read(path)
                    .thenCompose(found -> of(session, path, checked(found.stat().getCzxid())));
        }
        return switch (source) {
            case DEFAULT -> base.on(session).thenApply(lift -> Math.addExact(lift, zxid));
            case ZXID -> CompletableFuture.completedFuture(zxid);
            case SEQUENCE -> sequence(ZkPaths.sequenceOf(ZkPaths.child(path)));
        };
    }

    private static long checked(long zxid) {
        if (zxid <= 0) {
            throw new IllegalStateException("a znode without a creation zxid");
        }
        return zxid;
    }

    private static CompletableFuture<Long> sequence(int number) {
        if (number < 0 || number == Integer.MAX_VALUE) {
            return CompletableFuture.failedFuture(new BackendUnavailableException(
                    "the sequence numbers of the lock's parent znode are used up; tokens=sequence cannot go on, the default can",
                    null));
        }
        return CompletableFuture.completedFuture(number + 1L);
    }

    /** Sees to it that every later token is above a number. */
    CompletableFuture<Void> raise(ZkSession session, long floor) {
        if (source != TokenSource.DEFAULT) {
            return CompletableFuture.failedFuture(
                    new BackendUnavailableException("tokens are raised with tokens=default only", null));
        }
        return base.raise(session, floor);
    }
}
