package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.op.Op;
import java.util.List;

/**
 * Writes that are checked in their own transaction: by a fence ({@link EtcdFence#writer}) or by ownership of a lock ({@link EtcdGuard#writer}), which say
 * what is thrown when the check refuses. Nothing is written then.
 *
 * <p>Immutable, thread-safe, cheap to make. Methods block for at most the command timeout and throw {@link io.fencedlock.BackendUnavailableException}
 * when nothing was changed (etcd refused the transaction, for instance because it puts one key twice), {@link
 * io.fencedlock.OutcomeUnknownException} when it may have been. Nothing may be null.
 */
public final class EtcdWriter {

    private final Gate gate;
    private final Transactions transactions;

    /** The check. */
    interface Gate {

        /** Makes changes in one transaction if the check admits them. */
        void make(Transactions transactions, List<RequestOp> changes);
    }

    EtcdWriter(Transactions transactions, Gate gate) {
        this.transactions = transactions;
        this.gate = gate;
    }

    /** Only the check. */
    void nothing() {
        gate.make(transactions, List.of());
    }

    /**
     * Puts a text value.
     *
     * @param key what to write
     * @param value the value
     */
    public void put(String key, String value) {
        gate.make(transactions, List.of(Ops.put(bytes(key), bytes(value))));
    }

    /**
     * Deletes a key; without effect if it is not there.
     *
     * @param key what to delete
     */
    public void delete(String key) {
        gate.make(transactions, List.of(Ops.delete(bytes(key))));
    }

    /**
     * Commits operations of yours, all or none. They stand in the transaction up to three times: stay well below the server's limits on its size.
     *
     * @param operations of jetcd; what they read is not handed out
     * @throws IllegalStateException if the fence or guard was not made with {@code on(client, timeout)}
     */
    public void commit(Op... operations) {
        gate.make(transactions.with(operations), List.of(RequestOp.getDefaultInstance()));
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
