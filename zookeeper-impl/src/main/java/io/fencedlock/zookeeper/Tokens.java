package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.LockName;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a token of a contender's node, and refuses one that is not above the tokens known before the node was made: then the ensemble's
 * data were lost or replaced.
 *
 * <p>The token is the node's creation zxid plus the base that stands in the node. Who becomes the head of the queue and finds that the base has grown
 * since writes the new one to its node first; should its node say more than the base is, having been made beside its lifting, it raises the base.
 * So each contender's base was read while its node stood, and the next one's after that node had gone: in the order of the queue neither base nor
 * zxid ever falls. Thread-safe.
 */
final class Tokens {

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    /** 90% of the sequence numbers that one parent can give. */
    private static final int SCARCE = (int) (Integer.MAX_VALUE * 0.9);

    private final TokenSource source;
    private final TokenBase base;
    private final AtomicLong highest = new AtomicLong();
    private final AtomicBoolean warned = new AtomicBoolean();
    /** Completes when the lifting is on its way, with what completes when it is done. */
    private @Nullable CompletableFuture<CompletableFuture<Void>> lift;

    Tokens(TokenSource source, TokenBase base) {
        this.source = source;
        this.base = base;
    }

    /** The highest token that this client has granted. */
    long highest() {
        return highest.get();
    }

    /** What a node that is made now should say of the base; 0 if tokens are not lifted. */
    CompletableFuture<Long> likelyBase(ZkSession session) {
        return source == TokenSource.CLOCK ? base.likely(session) : CompletableFuture.completedFuture(0L);
    }

    /** The base at present, at least as new as anything that the session has seen; 0 if tokens are not lifted. */
    private CompletableFuture<Long> base(ZkSession session) {
        return source == TokenSource.CLOCK ? base.on(session) : CompletableFuture.completedFuture(0L);
    }

    /**
     * Whether the base certainly is a number still, as far as anything goes that the session has heard of. Where tokens are not lifted that is known of 0
     * alone, which is what others say that do not lift them either.
     */
    boolean baseIs(ZkSession session, long number) {
        return source == TokenSource.CLOCK ? base.is(session, number) : number == 0;
    }

    /**
     * Sees to it that the node of the queue's head says what the base is now.
     *
     * @param said what the node said of it when it was made
     * @return what it says then
     */
    CompletableFuture<Long> settle(Place head, LockName name, long said, Retry retry) {
        ZkSession session = head.session();
        return base(session).thenCompose(now -> {
            if (now < said) { // the node was made beside a lifting that has not come to its end
                return base.raise(session, said).thenCompose(raised -> settle(head, name, said, retry));
            }
            return now == said
                    ? CompletableFuture.completedFuture(now)
                    : tell(head, NodeData.of(name, now), now, retry);
        });
    }

    /** Once for each base, although an answer may get lost: who waits takes a second write of the same for a release. */
    private static CompletableFuture<Long> tell(Place head, byte[] data, long base, Retry retry) {
        ZkSession session = head.session();
        return session.read(head.path())
                .thenCompose(found -> NodeData.parse(found.text()).base() == base
                        ? CompletableFuture.completedFuture(base)
                        : session.set(head.path(), data, found.stat().getVersion())
                                .thenApply(stat -> base))
                .exceptionallyCompose(retry.on(Code.BADVERSION, () -> tell(head, data, base, retry)));
    }

    /**
     * Lifts the base to the clock, once per client and before its first grant.
     *
     * @param write sends a write, whose zxid it answers
     * @return completes when that is on its way: a contender may enter beside it
     */
    synchronized CompletableFuture<?> lift(ZkSession session, Supplier<CompletableFuture<Long>> write) {
        if (lift == null || lift.thenCompose(Function.identity()).isCompletedExceptionally()) {
            lift = source == TokenSource.CLOCK
                    ? base.lift(session, write.get())
                    : CompletableFuture.completedFuture(CompletableFuture.completedFuture(null));
        }
        return lift;
    }

    /**
     * The token of a grant.
     *
     * @param lift the base that stands in the node
     * @param floor the highest token known before the node was made
     */
    long granted(Place place, long lift, long floor) {
        warnOfScarcity(place.path());
        long token = of(place.path(), place.zxid(), lift);
        // Sequence numbers of different parents do not compare.
        if (source != TokenSource.SEQUENCE) {
            if (token <= floor) {
                throw new BackendUnavailableException(
                        "the ensemble gave token " + token + " after token " + floor
                                + ": its data were lost or replaced; raise the tokens above " + floor
                                + " to go on (with tokens=clock)",
                        null);
            }
            highest.accumulateAndGet(token, Math::max);
            base.mustExceed(token);
        }
        return token;
    }

    /** The token that a node stands for, unchecked: of others' nodes, too. */
    long of(String path, long zxid, long lift) {
        if (zxid <= 0) {
            throw new IllegalStateException("a znode without a creation zxid");
        }
        return switch (source) {
            case CLOCK -> Math.addExact(lift, zxid);
            case ZXID -> zxid;
            case SEQUENCE -> next(ZkPaths.sequenceOf(ZkPaths.child(path)));
        };
    }

    private static long next(int number) {
        if (number < 0 || number == Integer.MAX_VALUE) {
            throw new BackendUnavailableException(
                    "the sequence numbers of the lock's parent znode are used up; tokens=sequence cannot go on, the default can",
                    null);
        }
        return number + 1L;
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
        if (source != TokenSource.CLOCK) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "with tokens=" + source.name().toLowerCase(Locale.ROOT)
                            + " tokens are ZooKeeper's own numbers and cannot be raised"));
        }
        return base.raise(session, floor);
    }
}
