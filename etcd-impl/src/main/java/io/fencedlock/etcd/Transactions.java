package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.op.Op;
import java.util.List;
import java.util.Optional;

/** What fences and guards send with: a connection of their own, or the user's client. Blocking, each request for a bounded time. Thread-safe. */
interface Transactions extends AutoCloseable {

    /**
     * How a transaction went.
     *
     * @param succeeded whether its conditions held, or those of one nested in its other branch
     * @param read the value that the branch taken has read last, if it read any
     */
    record Taken(boolean succeeded, Optional<ByteString> read) {}

    Taken commit(TxnRequest.Builder txn);

    /** The first keys from one up to, and without, another one, in order. */
    List<KeyValue> page(ByteString from, ByteString end, int limit);

    /**
     * The same, with operations of the user's at the place of an empty one.
     *
     * @throws IllegalStateException if this is not the user's client
     */
    default Transactions with(Op... operations) {
        throw new IllegalStateException(
                "operations of jetcd are sent with a client of jetcd: make the fence or guard with on(client,"
                        + " timeout)");
    }

    @Override
    void close();
}
