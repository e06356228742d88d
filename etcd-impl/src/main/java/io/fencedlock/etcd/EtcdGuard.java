package io.fencedlock.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LossReason;
import java.time.Duration;
import java.util.List;

/**
 * Writes that succeed only while the very acquisition of a lock still stands in the same etcd: the transaction compares the create revision of the lock's own
 * entry. Stronger than a fence, which lets an old holder write until the next one has written or advanced: here nothing of an old holder's
 * passes once its entry is gone, whoever comes after. It needs no mark.
 *
 * <pre>{@code
 * EtcdGuard guard = EtcdGuard.on(client, Duration.ofSeconds(5));
 * guard.writer(lease).put("invoice-1041", "sent");     // refused: LeaseLostException
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class EtcdGuard implements AutoCloseable {

    private final Transactions transactions;

    private EtcdGuard(Transactions transactions) {
        this.transactions = transactions;
    }

    /**
     * Opens a connection of its own.
     *
     * @param url that of the locks
     * @return the guard
     * @throws io.fencedlock.LockConfigurationException if the URL is wrong
     */
    public static EtcdGuard connect(String url) {
        return new EtcdGuard(EtcdFence.connect(url).transactions());
    }

    /**
     * Uses a client of yours; it stays open.
     *
     * @param client a client of jetcd without a namespace, of the locks' etcd
     * @param timeout the longest wait for an answer
     * @return the guard
     */
    public static EtcdGuard on(Client client, Duration timeout) {
        return new EtcdGuard(new JetcdTransactions(client, timeout, List.of()));
    }

    /**
     * Writes while a lease's entry stands. A write that finds it gone throws {@link LeaseLostException}.
     *
     * @param lease of a lock on the same etcd
     * @return what to write with; nothing is sent yet
     * @throws IllegalArgumentException if the lease is not of an etcd
     */
    public EtcdWriter writer(Lease lease) {
        if (!(lease.grant().ref() instanceof EtcdRef entry)) {
            throw new IllegalArgumentException(
                    "a guard in etcd takes a lease of a lock on etcd, found one of another store: "
                            + lease.grant().name());
        }
        return new EtcdWriter(transactions, (over, changes) -> {
            TxnRequest.Builder txn = TxnRequest.newBuilder()
                    .addCompare(Ops.createdAt(entry.key(), entry.createRevision()))
                    .addAllSuccess(changes);
            if (!over.commit(txn).succeeded()) {
                throw new LeaseLostException(lease.grant(), LossReason.NOT_HELD);
            }
        });
    }

    /** Closes the connection if the guard opened it. Idempotent, never throws. */
    @Override
    public void close() {
        transactions.close();
    }
}
