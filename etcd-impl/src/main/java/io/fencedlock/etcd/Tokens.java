package io.fencedlock.etcd;

import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes tokens of create revisions. Thread-safe. */
final class Tokens {

    private static final Clock WALL = Clock.systemUTC();

    private final EtcdClient client;
    private final EtcdKeys keys;
    private final TokenSource source;
    private @Nullable CompletableFuture<Void> lifted;

    Tokens(EtcdClient client, EtcdKeys keys, TokenSource source) {
        this.client = client;
        this.keys = keys;
        this.source = source;
    }

    /**
     * The token of an entry.
     *
     * @param base the base as it was read in the very transaction that gave the entry the lock
     * @param granted that transaction's revision
     */
    CompletableFuture<Long> token(RangeResponse base, long createRevision, long granted) {
        if (source == TokenSource.REVISION) {
            return CompletableFuture.completedFuture(createRevision);
        }
        if (base.getKvsCount() == 1) {
            return CompletableFuture.completedFuture(sum(TokenBase.of(base.getKvs(0)), createRevision, granted));
        }
        return base().thenApply(made -> sum(made, createRevision, granted));
    }

    private static long sum(TokenBase base, long createRevision, long granted) {
        return Math.addExact(base.at(granted), createRevision);
    }

    /**
     * Sees to it, once per client and before its first acquisition, that tokens are not behind the wall clock: while this store was not used,
     * another one may have given out tokens that follow the clock. So a resource can move there and back by configuration alone.
     */
    synchronized CompletableFuture<Void> lifted() {
        if (lifted == null || lifted.isCompletedExceptionally()) {
            lifted = source == TokenSource.REVISION ? CompletableFuture.completedFuture(null) : lift();
        }
        return lifted;
    }

    private CompletableFuture<Void> lift() {
        long micros = micros();
        return readBase().thenCompose(answer -> {
            long revision = answer.getHeader().getRevision();
            boolean ahead = baseIn(answer).newest() + revision >= micros;
            return ahead ? CompletableFuture.completedFuture(null) : raise(micros - revision);
        });
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, WALL.instant());
    }

    /** Reads the base, and makes it if it is missing. */
    private CompletableFuture<TokenBase> base() {
        return readBase().thenApply(Tokens::baseIn);
    }

    private CompletableFuture<TxnResponse> readBase() {
        return client.txn(TxnRequest.newBuilder()
                .addCompare(Ops.createdAt(keys.base(), 0))
                .addSuccess(Ops.put(keys.base(), TokenBase.first(micros())))
                .addSuccess(Ops.get(keys.base()))
                .addFailure(Ops.get(keys.base())));
    }

    /** The base stands in the last answer of either branch. */
    private static TokenBase baseIn(TxnResponse answer) {
        RangeResponse read = answer.getResponses(answer.getResponsesCount() - 1).getResponseRange();
        return TokenBase.of(read.getKvs(0));
    }

    /** Lifts the base to a number: every token is above it then, since a create revision is positive. */
    CompletableFuture<Void> raise(long floor) {
        if (source == TokenSource.REVISION) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "with tokens=revision tokens are etcd's revisions and cannot be raised"));
        }
        return base().thenCompose(base -> {
            if (base.newest() >= floor) {
                return CompletableFuture.completedFuture(null);
            }
            return client.txn(TxnRequest.newBuilder()
                            .addCompare(Ops.changedAt(keys.base(), base.since()))
                            .addSuccess(Ops.put(keys.base(), base.raised(floor))))
                    .thenCompose(
                            answer -> answer.getSucceeded() ? CompletableFuture.completedFuture(null) : raise(floor));
        });
    }
}
