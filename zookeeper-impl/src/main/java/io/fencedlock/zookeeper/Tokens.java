package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a token of a contender's node, and refuses one that is not above the tokens known before the node was made: then the ensemble's
 * data were lost or replaced. Thread-safe.
 */
final class Tokens {

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    /** 90% of the sequence numbers that one parent can give. */
    private static final int SCARCE = (int) (Integer.MAX_VALUE * 0.9);

    private final TokenSource source;
    private final TokenBase base;
    private final AtomicLong highest = new AtomicLong();
    private final AtomicBoolean warned = new AtomicBoolean();

    Tokens(TokenSource source, TokenBase base) {
        this.source = source;
        this.base = base;
    }

    /** The highest token that this client has granted. */
    long highest() {
        return highest.get();
    }

    /**
     * The token of a grant. Asked only after the create's reply, so that the base is not older than the zxid.
     *
     * @param floor the highest token known before the node was made
     */
    CompletableFuture<Long> of(Place place, long floor) {
        warnOfScarcity(place.path());
        return of(place.session(), place.path(), place.zxid()).thenApply(token -> checked(token, floor));
    }

    private long checked(long token, long floor) {
        // Sequence numbers of different parents do not compare.
        if (source != TokenSource.SEQUENCE) {
            if (token <= floor) {
                throw new BackendUnavailableException(
                        "the ensemble gave token " + token + " after token " + floor
                                + ": its data were lost or replaced; raise the tokens above " + floor
                                + " to go on (with tokens=default)",
                        null);
            }
            highest.accumulateAndGet(token, Math::max);
            base.mustExceed(token);
        }
        return token;
    }

    /** The token that a node stands for, unchecked: of others' nodes, too. */
    CompletableFuture<Long> of(ZkSession session, String path, long zxid) {
        if (zxid <= 0) {
            return session.read(path)
                    .thenCompose(
                            found -> of(session, path, positive(found.stat().getCzxid())));
        }
        return switch (source) {
            case DEFAULT -> base.on(session).thenApply(lift -> Math.addExact(lift, zxid));
            case ZXID -> CompletableFuture.completedFuture(zxid);
            case SEQUENCE -> sequence(ZkPaths.sequenceOf(ZkPaths.child(path)));
        };
    }

    private static long positive(long zxid) {
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

    private void warnOfScarcity(String path) {
        int number = ZkPaths.sequenceOf(ZkPaths.child(path));
        if ((number >= SCARCE || number < 0) && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "parent znode {} has given out {} of {} sequence numbers; afterwards each contender's creation zxid has to be read: "
                            + "delete the parent while it is empty, and its numbers begin again",
                    ZkPaths.parent(path),
                    Integer.toUnsignedString(number),
                    Integer.MAX_VALUE);
        }
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
