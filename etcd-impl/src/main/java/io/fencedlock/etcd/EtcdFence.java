package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.MarkInfo;
import io.fencedlock.StaleTokenException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Fences in etcd: a resource's mark is a key, and check, mark and write are one transaction. Exact over 63 bits.
 *
 * <pre>{@code
 * EtcdFence fence = EtcdFence.on(client, Duration.ofSeconds(5));
 * fence.advance("invoice-1041", lease);                    // before reading what the write is computed from
 * fence.writer("invoice-1041", lease).commit(              // refused: StaleTokenException
 *     Op.put(key, value, PutOption.DEFAULT), Op.delete(draft, DeleteOption.DEFAULT));
 * }</pre>
 *
 * <p>Works with a client of jetcd, which is yours to add ({@code io.etcd:jetcd-core}), or, for plain puts and deletes, opened by URL without one.
 * Marks stand under {@code fencedlock/} unless told otherwise.
 */
public final class EtcdFence implements Fence {

    private static final Clock WALL = Clock.systemUTC();
    private static final int PAGE = 1000;

    private final Transactions transactions;
    private final EtcdKeys keys;

    EtcdFence(Transactions transactions, EtcdKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    /**
     * Opens a connection of its own.
     *
     * @param url as for {@link FencedLocks#connect(String)}, of one of the schemes of {@link EtcdProvider}
     * @return the fence
     * @throws io.fencedlock.LockConfigurationException if the URL is wrong
     */
    public static EtcdFence connect(String url) {
        return (EtcdFence) FencedLocks.configure()
                .provider(new EtcdProvider())
                .url(url)
                .environment(System.getenv())
                .openFence();
    }

    /**
     * Uses a client of yours; it stays open.
     *
     * @param client a client of jetcd. With a namespace, the marks stand in it, too
     * @param timeout the longest wait for an answer
     * @return the fence
     */
    public static EtcdFence on(Client client, Duration timeout) {
        return new EtcdFence(
                new JetcdTransactions(client, timeout, List.of()), new EtcdKeys(EtcdSettings.DEFAULT_PREFIX));
    }

    /**
     * Keeps the marks under another prefix.
     *
     * @param prefix as the path of a URL
     * @return the changed copy, on the same connection
     */
    public EtcdFence withPrefix(String prefix) {
        return new EtcdFence(transactions, new EtcdKeys(prefix));
    }

    /**
     * Writes with a lease's token to the resource that is named as its lock; see {@link #writer(String, FenceMark)}.
     *
     * @param lease the writer's
     * @return what to write with
     */
    public EtcdWriter writer(Lease lease) {
        return writer(lease.grant().name().value(), lease.mark());
    }

    /**
     * Writes with a lease's token; see {@link #writer(String, FenceMark)}.
     *
     * @param resource what is to be written
     * @param lease the writer's
     * @return what to write with
     */
    public EtcdWriter writer(String resource, Lease lease) {
        return writer(resource, lease.mark());
    }

    /**
     * Writes with a token. Each write checks the token against the resource's mark and raises the mark; a repeat by the same holder passes. A write that is
     * refused throws {@link StaleTokenException} with both tokens.
     *
     * @param resource what is to be written; which keys belong to it is for you to say
     * @param mark the writer's, from {@link Lease#mark()}
     * @return what to write with; nothing is sent yet
     */
    public EtcdWriter writer(String resource, FenceMark mark) {
        ByteString key = key(resource);
        return new EtcdWriter(
                transactions,
                (over, changes) -> over.commit(StoredMark.guarded(key, mark, changes))
                        .read()
                        .map(StoredMark::read)
                        .ifPresent(accepted -> {
                            throw new StaleTokenException(
                                    resource, mark.token(), accepted.mark().token());
                        }));
    }

    /** What a guard on the same connection sends with. */
    Transactions transactions() {
        return transactions;
    }

    private ByteString key(String resource) {
        return keys.mark(new LockName(resource));
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        writer(resource, mark).nothing();
    }

    @Override
    public FenceMark raise(String resource, long token) {
        FenceMark raised = new FenceMark(token, null);
        return transactions
                .commit(StoredMark.raised(key(resource), token))
                .read()
                .map(higher -> StoredMark.read(higher).mark())
                .orElse(raised);
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        ByteString key = key(resource);
        return transactions.page(key, key.concat(ByteString.copyFrom(new byte[1])), 1).stream()
                .map(stored -> StoredMark.read(stored.getValue()).mark())
                .findFirst();
    }

    @Override
    public void forEachMark(Consumer<MarkInfo> action) {
        forEachStored(stored -> {
            StoredMark mark = StoredMark.read(stored.getValue());
            action.accept(new MarkInfo(EtcdKeys.resource(stored.getKey()), mark.mark(), mark.usedAt()));
        });
    }

    @Override
    public long expire(Duration unusedFor) {
        if (unusedFor.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a mark lives at least 1 s after its last use, found " + unusedFor);
        }
        Instant latest = WALL.instant().minus(unusedFor);
        long[] expired = {0};
        forEachStored(stored -> {
            boolean unused = !StoredMark.read(stored.getValue()).usedAt().isAfter(latest);
            expired[0] += unused && delete(stored) ? 1 : 0;
        });
        return expired[0];
    }

    /** Unless it was used meanwhile. */
    private boolean delete(KeyValue stored) {
        return transactions
                .commit(TxnRequest.newBuilder()
                        .addCompare(Ops.changedAt(stored.getKey(), stored.getModRevision()))
                        .addSuccess(Ops.delete(stored.getKey())))
                .succeeded();
    }

    private void forEachStored(Consumer<KeyValue> action) {
        ByteString from = keys.marks();
        ByteString end = EtcdKeys.end(from);
        List<KeyValue> page;
        do {
            page = transactions.page(from, end, PAGE);
            page.forEach(action);
            if (!page.isEmpty()) {
                from = page.get(page.size() - 1).getKey().concat(ByteString.copyFrom(new byte[1]));
            }
        } while (page.size() == PAGE);
    }

    @Override
    public boolean remove(String resource) {
        ByteString key = key(resource);
        return !transactions
                .commit(TxnRequest.newBuilder()
                        .addCompare(Ops.createdAt(key, 0))
                        .addFailure(Ops.delete(key)))
                .succeeded();
    }

    @Override
    public void close() {
        transactions.close();
    }
}
