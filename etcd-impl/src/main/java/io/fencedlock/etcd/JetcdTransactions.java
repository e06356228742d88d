package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.OutcomeUnknownException;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The user's jetcd client, which stays open. Says the few things that fences say in jetcd's words. */
record JetcdTransactions(Client client, Duration timeout, List<Op> operations) implements Transactions {

    @Override
    public Transactions with(Op... added) {
        return new JetcdTransactions(client, timeout, List.of(added));
    }

    @Override
    public Taken commit(TxnRequest.Builder txn) {
        return taken(await(client.getKVClient()
                .txn()
                .If(comparisons(txn.getCompareList()))
                .Then(ops(txn.getSuccessList()))
                .Else(ops(txn.getFailureList()))
                .commit()));
    }

    private static Taken taken(TxnResponse answer) {
        List<TxnResponse> nested = answer.getTxnResponses();
        if (!answer.isSucceeded() && !nested.isEmpty()) {
            return taken(nested.get(0));
        }
        Optional<ByteString> read = Stream.of(answer)
                .filter(taken -> !taken.isSucceeded())
                .flatMap(taken -> taken.getGetResponses().stream())
                .map(GetResponse::getKvs)
                .flatMap(List::stream)
                .map(found -> bytes(found.getValue()))
                .findFirst();
        return new Taken(answer.isSucceeded(), read);
    }

    private static Cmp[] comparisons(List<Compare> comparisons) {
        return comparisons.stream()
                .map(compare -> new Cmp(sequence(compare.getKey()), operator(compare), target(compare)))
                .toArray(Cmp[]::new);
    }

    private static Cmp.Op operator(Compare compare) {
        return switch (compare.getResult()) {
            case EQUAL -> Cmp.Op.EQUAL;
            case GREATER -> Cmp.Op.GREATER;
            case LESS -> Cmp.Op.LESS;
            default -> throw new IllegalArgumentException("not a comparison of a fence: " + compare);
        };
    }

    private static CmpTarget<?> target(Compare compare) {
        return switch (compare.getTarget()) {
            case CREATE -> CmpTarget.createRevision(compare.getCreateRevision());
            case MOD -> CmpTarget.modRevision(compare.getModRevision());
            case VALUE -> CmpTarget.value(sequence(compare.getValue()));
            default -> throw new IllegalArgumentException("not a comparison of a fence: " + compare);
        };
    }

    private Op[] ops(List<RequestOp> requests) {
        return requests.stream().flatMap(this::op).toArray(Op[]::new);
    }

    private Stream<Op> op(RequestOp request) {
        return switch (request.getRequestCase()) {
            case REQUEST_PUT -> Stream.of(put(request.getRequestPut()));
            case REQUEST_DELETE_RANGE ->
                Stream.of(Op.delete(sequence(request.getRequestDeleteRange().getKey()), DeleteOption.DEFAULT));
            case REQUEST_RANGE ->
                Stream.of(Op.get(sequence(request.getRequestRange().getKey()), GetOption.DEFAULT));
            case REQUEST_TXN -> {
                TxnRequest txn = request.getRequestTxn();
                yield Stream.of(Op.txn(
                        comparisons(txn.getCompareList()), ops(txn.getSuccessList()), ops(txn.getFailureList())));
            }
            case REQUEST_NOT_SET -> operations.stream();
        };
    }

    private static Op put(PutRequest put) {
        return Op.put(sequence(put.getKey()), sequence(put.getValue()), PutOption.DEFAULT);
    }

    @Override
    public List<KeyValue> page(ByteString from, ByteString end, int limit) {
        GetOption range = GetOption.builder()
                .withRange(sequence(end))
                .withLimit(limit)
                .withSortField(GetOption.SortTarget.KEY)
                .withSortOrder(GetOption.SortOrder.ASCEND)
                .build();
        return await(client.getKVClient().get(sequence(from), range)).getKvs().stream()
                .map(found -> KeyValue.newBuilder()
                        .setKey(bytes(found.getKey()))
                        .setValue(bytes(found.getValue()))
                        .setModRevision(found.getModRevision())
                        .build())
                .toList();
    }

    private static ByteSequence sequence(ByteString bytes) {
        return ByteSequence.from(bytes);
    }

    private static ByteString bytes(ByteSequence sequence) {
        return ByteString.copyFrom(sequence.getBytes());
    }

    private <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw told(e.getCause());
        } catch (TimeoutException e) {
            throw new OutcomeUnknownException("no answer from etcd within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException("interrupted while waiting for etcd", e);
        }
    }

    /** With the caller's stack. jetcd tells of one error in two ways. */
    private static FencedLockException told(@Nullable Throwable cause) {
        String message = "etcd, asked with the client of jetcd: " + cause;
        String code = cause instanceof StatusRuntimeException failed
                ? failed.getStatus().getCode().name()
                : cause instanceof EtcdException failed ? failed.getErrorCode().name() : "";
        return message.contains(EtcdErrors.OF_SERVER) && EtcdErrors.isRefusal(code)
                ? new BackendUnavailableException(message, cause)
                : new OutcomeUnknownException(message, cause);
    }

    @Override
    public void close() {}
}
