package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.OutcomeUnknownException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Opened by URL. */
record OwnTransactions(EtcdConnection connection) implements Transactions {

    @Override
    public Taken commit(TxnRequest.Builder txn) {
        return taken(await(connection.client().txn(txn)));
    }

    private static Taken taken(TxnResponse answer) {
        if (answer.getResponsesCount() == 0) {
            return new Taken(answer.getSucceeded(), Optional.empty());
        }
        ResponseOp last = answer.getResponses(answer.getResponsesCount() - 1);
        if (last.hasResponseTxn()) {
            return taken(last.getResponseTxn());
        }
        Optional<ByteString> read = last.getResponseRange().getKvsList().stream()
                .map(KeyValue::getValue)
                .findFirst();
        return new Taken(answer.getSucceeded(), read);
    }

    @Override
    public List<KeyValue> page(ByteString from, ByteString end, int limit) {
        return await(connection
                        .client()
                        .range(RangeRequest.newBuilder()
                                .setKey(from)
                                .setRangeEnd(end)
                                .setLimit(limit)))
                .getKvsList();
    }

    /** Every request ends by itself within the command timeout; an interrupt is kept for the caller's next wait. */
    private static <T> T await(CompletableFuture<T> answer) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw forCaller(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** With the caller's stack. */
    private static RuntimeException forCaller(ExecutionException e) {
        Throwable cause = e.getCause();
        String message = String.valueOf(cause == null ? e : cause.getMessage());
        return cause instanceof BackendUnavailableException
                ? new BackendUnavailableException(message, cause)
                : new OutcomeUnknownException(message, cause);
    }

    @Override
    public void close() {
        connection.channels().close();
    }
}
