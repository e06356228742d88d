package io.fencedlock.etcd;

import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Knows the base of tokens, and raises it. Thread-safe. */
final class Tokens {

    private static final Clock WALL = Clock.systemUTC();

    private final EtcdClient client;
    private final EtcdKeys keys;
    private final TokenSource source;
    private @Nullable CompletableFuture<TokenBase> known;

    Tokens(EtcdClient client, EtcdKeys keys, TokenSource source) {
        this.client = client;
        this.keys = keys;
        this.source = source;
    }

    /**
     * The base as far as it is known; whoever uses it makes its transaction depend on it.
     *
     * <p>Sees to it, once per client and before its first acquisition, that tokens are not behind the wall clock: while this store was not used,
     * another one may have given out tokens that follow the clock. So a resource can move there and back by configuration alone.
     */
    synchronized CompletableFuture<TokenBase> base() {
        if (known == null || known.isCompletedExceptionally()) {
            known = source == TokenSource.REVISION ? CompletableFuture.completedFuture(TokenBase.NONE) : lift();
        }
        return known;
    }

    /** The base after it was found to be another one than was known. */
    synchronized CompletableFuture<TokenBase> insteadOf(TokenBase outdated) {
        if (known == null || known.isCompletedExceptionally() || outdated.equals(known.getNow(null))) {
            known = read();
        }
        return known;
    }

    private CompletableFuture<TokenBase> lift() {
        long micros = micros();
        return readBase().thenCompose(answer -> {
            long revision = answer.getHeader().getRevision();
            TokenBase base = baseIn(answer);
            boolean ahead = base.number() + revision >= micros;
            return ahead ? CompletableFuture.completedFuture(base) : raised(base, micros - revision);
        });
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, WALL.instant());
    }

    /** Reads the base, and makes it if it is missing. */
    private CompletableFuture<TokenBase> read() {
        return readBase().thenApply(Tokens::baseIn);
    }

    private CompletableFuture<TxnResponse> readBase() {
        return client.txn(TxnRequest.newBuilder()
                .addCompare(Ops.createdAt(keys.base(), 0))
                .addSuccess(Ops.put(keys.base(), TokenBase.text(micros())))
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
        return read().thenCompose(base -> raised(base, floor)).thenAccept(base -> {});
    }

    private CompletableFuture<TokenBase> raised(TokenBase base, long floor) {
        if (base.number() >= floor) {
            return CompletableFuture.completedFuture(base);
        }
        TxnRequest.Builder raise = TxnRequest.newBuilder()
                .addSuccess(Ops.put(keys.base(), TokenBase.text(floor)))
                .addSuccess(Ops.get(keys.base()));
        base.stands(keys.base()).ifPresent(raise::addCompare);
        return client.txn(raise)
                .thenCompose(answer -> answer.getSucceeded()
                        ? CompletableFuture.completedFuture(baseIn(answer))
                        : read().thenCompose(found -> raised(found, floor)));
    }
}
