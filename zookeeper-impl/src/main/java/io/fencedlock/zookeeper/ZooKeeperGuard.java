package io.fencedlock.zookeeper;

import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Writes that succeed only while the very acquisition of a lock still stands in the same ZooKeeper: the {@code multi} checks that the holder's own znode is
 * there. Stronger than a fence, which lets an old holder write until the next one has written or advanced: here nothing of an old holder's
 * passes once its znode is gone, whoever comes after. It needs no mark and one request.
 *
 * <pre>{@code
 * ZooKeeperGuard guard = ZooKeeperGuard.on(curator, Duration.ofSeconds(5));
 * guard.writer(lease).commit(curator.transactionOp().setData().forPath("/invoices/1041", data)); // refused: LeaseLostException
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ZooKeeperGuard implements AutoCloseable {

    private final FenceClient client;

    private ZooKeeperGuard(FenceClient client) {
        this.client = client;
    }

    /**
     * Opens a client of its own.
     *
     * @param url that of the locks
     * @return the guard
     * @throws io.fencedlock.LockConfigurationException if the URL is wrong
     */
    public static ZooKeeperGuard connect(String url) {
        return new ZooKeeperGuard(ZooKeeperFence.connect(url).client());
    }

    /**
     * Uses a client of yours; it stays open.
     *
     * @param curator started, on the locks' ZooKeeper; if the locks' URL has a user, logged in as the same
     * @param timeout the longest wait for an answer
     * @return the guard
     */
    public static ZooKeeperGuard on(CuratorFramework curator, Duration timeout) {
        return new ZooKeeperGuard(new FenceClient.Given(curator, timeout));
    }

    /**
     * Writes while a lease's znode stands. A write that finds it gone throws {@link LeaseLostException}.
     *
     * @param lease of a lock on the same ZooKeeper
     * @return what to write with; nothing is sent yet
     * @throws IllegalArgumentException if the lease is not of a ZooKeeper
     */
    public ZooKeeperWriter writer(Lease lease) {
        if (!(lease.grant().ref() instanceof ZkRef holder)) {
            throw new IllegalArgumentException(
                    "a guard in ZooKeeper takes a lease of a lock on ZooKeeper, found one of another store: "
                            + lease.grant().name());
        }
        return new ZooKeeperWriter(operations -> {
            List<Op> all = new ArrayList<>(List.of(Op.check(holder.path(), -1)));
            all.addAll(operations);
            boolean stands = client.await(
                    "the write under lock " + lease.grant().name(),
                    znodes -> znodes.multi(all)
                            .exceptionallyCompose(ZkErrors.instead(
                                    failure -> Cells.isOfFirst(failure, Code.NONODE),
                                    () -> CompletableFuture.completedFuture(false))));
            if (!stands) {
                throw new LeaseLostException(lease.grant(), LossReason.NOT_HELD);
            }
        });
    }

    /** Closes the client if the guard opened it. Idempotent, never throws. */
    @Override
    public void close() {
        client.close();
    }
}
