package io.fencedlock.zookeeper;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.MarkInfo;
import io.fencedlock.StaleTokenException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Fences in ZooKeeper: a resource's mark is a znode, and check, mark and write are one {@code multi} on the condition that the mark is
 * still what was read. Two requests for a write; exact over 63 bits.
 *
 * <pre>{@code
 * ZooKeeperFence fence = ZooKeeperFence.on(curator, Duration.ofSeconds(5));
 * fence.advance("invoice-1041", lease);                    // before reading what the write is computed from
 * fence.writer("invoice-1041", lease).commit(              // refused: StaleTokenException
 *     curator.transactionOp().setData().forPath("/invoices/1041", data));
 * }</pre>
 *
 * <p>Marks stand under {@code /fencedlock/v1} unless told otherwise, whatever namespace the client has. Made with your client they are open to
 * all; opened by a URL with user and password they belong to that user. Listing reads the names of all marks at once: beyond some ten thousand
 * {@code jute.maxbuffer} has to be raised.
 */
public final class ZooKeeperFence implements Fence {

    private static final int AT_ONCE = 100;

    private final FenceClient client;
    private final ZkPaths paths;

    ZooKeeperFence(FenceClient client, ZkPaths paths) {
        this.client = client;
        this.paths = paths;
    }

    /**
     * Opens a client of its own.
     *
     * @param url as for {@link FencedLocks#connect(String)}, of one of the schemes of {@link ZooKeeperProvider}
     * @return the fence
     * @throws io.fencedlock.LockConfigurationException if the URL is wrong
     */
    public static ZooKeeperFence connect(String url) {
        return (ZooKeeperFence) FencedLocks.configure()
                .provider(new ZooKeeperProvider())
                .url(url)
                .environment(System.getenv())
                .openFence();
    }

    /**
     * Uses a client of yours; it stays open.
     *
     * @param curator started
     * @param timeout the longest wait for the answers to one call
     * @return the fence
     */
    public static ZooKeeperFence on(CuratorFramework curator, Duration timeout) {
        return new ZooKeeperFence(new FenceClient.Given(curator, timeout), new ZkPaths(ZkSettings.DEFAULT_PREFIX));
    }

    /**
     * Keeps the marks under another prefix.
     *
     * @param prefix as the path of a URL
     * @return the changed copy, on the same client
     * @throws io.fencedlock.LockConfigurationException if the prefix cannot be used
     */
    public ZooKeeperFence withPrefix(String prefix) {
        return new ZooKeeperFence(client, new ZkPaths(ZkSettings.prefix(prefix)));
    }

    /**
     * Writes with a lease's token to the resource that is named as its lock; see {@link #writer(String, FenceMark)}.
     *
     * @param lease the writer's
     * @return what to write with
     */
    public ZooKeeperWriter writer(Lease lease) {
        return writer(lease.grant().name().value(), lease.mark());
    }

    /**
     * Writes with a lease's token; see {@link #writer(String, FenceMark)}.
     *
     * @param resource what is to be written
     * @param lease the writer's
     * @return what to write with
     */
    public ZooKeeperWriter writer(String resource, Lease lease) {
        return writer(resource, lease.mark());
    }

    /**
     * Writes with a token. Each write checks the token against the resource's mark and raises the mark; a repeat by the same holder passes. A write that is
     * refused throws {@link StaleTokenException} with both tokens.
     *
     * @param resource what is to be written; which znodes belong to it is for you to say
     * @param mark the writer's, from {@link Lease#mark()}
     * @return what to write with; nothing is sent yet
     */
    public ZooKeeperWriter writer(String resource, FenceMark mark) {
        new LockName(resource);
        return new ZooKeeperWriter(operations -> change(resource, enter(resource, mark), operations));
    }

    /** Raises the mark of a cell if it admits the one shown. */
    static UnaryOperator<Cell> enter(String resource, FenceMark shown) {
        return cell -> {
            cell.mark().filter(mark -> !mark.admits(shown)).ifPresent(mark -> {
                throw new StaleTokenException(resource, shown.token(), mark.token());
            });
            return new Cell(Optional.of(shown), cell.value());
        };
    }

    /** What a guard on the same connection sends with. */
    FenceClient client() {
        return client;
    }

    void change(String resource, UnaryOperator<Cell> change, List<Op> operations) {
        String path = path(resource);
        client.await("the write to " + resource, znodes -> new Cells(znodes).change(path, change, operations));
    }

    private String path(String resource) {
        return paths.register(new LockName(resource).value());
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        writer(resource, mark).nothing();
    }

    @Override
    public FenceMark raise(String resource, long token) {
        FenceMark raised = new FenceMark(token, null);
        FenceMark[] after = {raised};
        change(
                resource,
                cell -> {
                    after[0] = cell.mark().filter(mark -> mark.token() > token).orElse(raised);
                    return new Cell(Optional.of(after[0]), cell.value());
                },
                List.of());
        return after[0];
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return cell(resource).mark();
    }

    Cell cell(String resource) {
        String path = path(resource);
        return client.await(
                "the read of " + resource,
                znodes -> znodes.synced(path)
                        .thenCompose(synced -> synced.read(path))
                        .thenApply(found -> Cell.parse(found.text()))
                        .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Cell.EMPTY)));
    }

    @Override
    public void forEachMark(Consumer<MarkInfo> action) {
        forEachCell(found -> Cell.parse(found.text())
                .mark()
                .map(mark -> new MarkInfo(
                        ZkPaths.resource(found.path()),
                        mark,
                        Instant.ofEpochMilli(found.stat().getMtime())))
                .ifPresent(action));
    }

    @Override
    public long expire(Duration unusedFor) {
        if (unusedFor.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a mark lives at least 1 s after its last use, found " + unusedFor);
        }
        String clock = paths.registers() + "-" + HolderId.random();
        long now = client.await(
                "reading the clock",
                znodes -> znodes.make(ZkPaths.parent(clock)).thenCompose(made -> znodes.now(clock)));
        long[] expired = {0};
        forEachCell(found -> {
            boolean unused = now - found.stat().getMtime() >= unusedFor.toMillis();
            expired[0] += unused && removeIfUnchanged(found) ? 1 : 0;
        });
        return expired[0];
    }

    /** Whether there was a mark, and it was not used meanwhile. */
    private boolean removeIfUnchanged(Znodes.Read found) {
        Cell cell = Cell.parse(found.text());
        if (cell.mark().isEmpty()) {
            return false;
        }
        int version = found.stat().getVersion();
        Op removal = cell.value().isPresent()
                ? Op.setData(found.path(), new Cell(Optional.empty(), cell.value()).bytes(), version)
                : Op.delete(found.path(), version);
        return client.await(
                "the removal of the mark of " + ZkPaths.resource(found.path()),
                znodes -> znodes.multi(List.of(removal))
                        .exceptionallyCompose(ZkErrors.answer(Code.BADVERSION, false))
                        .exceptionallyCompose(ZkErrors.answer(Code.NONODE, false)));
    }

    private void forEachCell(Consumer<Znodes.Read> action) {
        String parent = paths.registers();
        List<String> names = client.await(
                "the list of marks",
                znodes -> znodes.synced(parent)
                        .thenCompose(synced -> synced.children(parent))
                        .exceptionallyCompose(ZkErrors.answer(Code.NONODE, List.of())));
        for (int from = 0; from < names.size(); from += AT_ONCE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + AT_ONCE));
            client.await(
                            "the read of marks",
                            znodes -> all(some.stream()
                                    .map(name -> read(znodes, parent + "/" + name))
                                    .toList()))
                    .forEach(found -> found.ifPresent(action));
        }
    }

    private static CompletableFuture<Optional<Znodes.Read>> read(Znodes znodes, String path) {
        return znodes.read(path)
                .thenApply(Optional::of)
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Optional.empty()));
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public boolean remove(String resource) {
        while (true) {
            Znodes.@Nullable Read found = find(resource).orElse(null);
            if (found == null || Cell.parse(found.text()).mark().isEmpty()) {
                return false;
            }
            if (removeIfUnchanged(found)) {
                return true;
            }
        }
    }

    private Optional<Znodes.Read> find(String resource) {
        String path = path(resource);
        return client.await(
                "the read of the mark of " + resource,
                znodes -> znodes.synced(path).thenCompose(synced -> read(synced, path)));
    }

    /** With the value of a register. */
    void removeCell(String resource) {
        String path = path(resource);
        client.await(
                "the removal of " + resource,
                znodes -> znodes.multi(List.of(Op.delete(path, -1)))
                        .exceptionallyCompose(ZkErrors.answer(Code.NONODE, true)));
    }

    @Override
    public void close() {
        client.close();
    }
}
