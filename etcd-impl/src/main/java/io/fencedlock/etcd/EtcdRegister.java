package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Values in etcd behind a fence: mark and value are compared and set in one transaction. Thread-safe; blocks for one request. */
final class EtcdRegister implements FencedRegister {

    private final EtcdConnection connection;
    private final EtcdKeys keys;

    EtcdRegister(EtcdConnection connection, EtcdKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        LockName name = new LockName(resource);
        guarded(name, mark, List.of(put(name, value)));
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        txn(TxnRequest.newBuilder().addSuccess(put(new LockName(resource), value)));
    }

    @Override
    public Optional<String> read(String resource) {
        return get(keys.value(new LockName(resource))).map(ByteString::toStringUtf8);
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        guarded(new LockName(resource), mark, List.of());
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return get(keys.mark(new LockName(resource))).map(StoredMark::read);
    }

    @Override
    public void remove(String resource) {
        LockName name = new LockName(resource);
        txn(TxnRequest.newBuilder().addSuccess(Ops.delete(keys.mark(name))).addSuccess(Ops.delete(keys.value(name))));
    }

    @Override
    public void close() {
        connection.channels().close();
    }

    private RequestOp put(LockName resource, String value) {
        return Ops.put(keys.value(resource), ByteString.copyFromUtf8(value));
    }

    private void guarded(LockName resource, FenceMark mark, List<RequestOp> changes) {
        StoredMark.refusedBy(await(connection.client().txn(StoredMark.guarded(keys.mark(resource), mark, changes))))
                .ifPresent(accepted -> {
                    throw new StaleTokenException(resource.value(), mark.token(), accepted.token());
                });
    }

    private void txn(TxnRequest.Builder txn) {
        await(connection.client().txn(txn));
    }

    private Optional<ByteString> get(ByteString key) {
        RangeResponse found =
                await(connection.client().range(RangeRequest.newBuilder().setKey(key)));
        return found.getKvsCount() == 0
                ? Optional.empty()
                : Optional.of(found.getKvs(0).getValue());
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
}
