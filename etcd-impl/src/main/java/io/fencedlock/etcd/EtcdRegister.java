package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.LockName;
import java.util.Optional;

/** Values in etcd, each a key under the prefix, behind the fence of the same resource. Thread-safe; blocks for one request. */
final class EtcdRegister implements FencedRegister {

    private final Transactions transactions;
    private final EtcdFence fence;
    private final EtcdKeys keys;

    EtcdRegister(Transactions transactions, EtcdKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
        fence = new EtcdFence(transactions, keys);
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        fence.writer(resource, mark).put(key(resource).toStringUtf8(), value);
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        transactions.commit(TxnRequest.newBuilder().addSuccess(Ops.put(key(resource), ByteString.copyFromUtf8(value))));
    }

    @Override
    public Optional<String> read(String resource) {
        return transactions
                .commit(TxnRequest.newBuilder().addSuccess(Ops.get(key(resource))))
                .read()
                .map(ByteString::toStringUtf8);
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        fence.advance(resource, mark);
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return fence.mark(resource);
    }

    @Override
    public void remove(String resource) {
        transactions.commit(TxnRequest.newBuilder()
                .addSuccess(Ops.delete(keys.mark(new LockName(resource))))
                .addSuccess(Ops.delete(key(resource))));
    }

    private ByteString key(String resource) {
        return keys.value(new LockName(resource));
    }

    @Override
    public void close() {
        transactions.close();
    }
}
