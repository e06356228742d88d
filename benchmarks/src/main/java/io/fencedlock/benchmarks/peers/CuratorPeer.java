package io.fencedlock.benchmarks.peers;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.TokenSurvival;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** Curator's InterProcessMutex; its token is the sequence number of the holder's znode, plus 1 as the first one is 0. */
final class CuratorPeer implements Peer {

    /** Who owns a mutex, and what its life depends on. */
    enum Use {
        /** A thread of its own for each acquisition, so that any thread can ask for the release. */
        OWN_THREAD,
        /** The calling thread, one mutex object for each lock object. */
        CALLING_THREAD,
        /** As OWN_THREAD; a lease without renewal has a session of its own, which the server ends at the lease's time. */
        ENDED_SESSION
    }

    static final String ROOT = "/peers";

    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final Use use;

    CuratorPeer(Use use) {
        this.use = use;
    }

    @Override
    public Store store() {
        return Store.ZOOKEEPER;
    }

    @Override
    public String versions() {
        return Versions.of(InterProcessMutex.class, "org.apache.curator", "curator-recipes") + ", "
                + Versions.of(ZooKeeper.class, "org.apache.zookeeper", "zookeeper");
    }

    @Override
    public BackendProfile profile() {
        return BackendProfile.of("curator", "sequence number of the holder's znode, plus 1")
                .lease(Duration.ofSeconds(1), Duration.ofMillis(1))
                .liveness(LeaseScope.PER_SESSION, Duration.ofSeconds(4))
                .waiting(QueueOrder.FIFO, Duration.ofSeconds(1))
                .tokensSurvive(EnumSet.allOf(TokenSurvival.class))
                .build();
    }

    @Override
    public PeerClient open(InetSocketAddress server, Duration lease, boolean reachable) throws Exception {
        CuratorFramework client = connect(server, lease, reachable);
        return new CuratorPeerClient(client, lease, use, () -> connect(server, lease, true));
    }

    /** The lease time is asked for as the session's; connecting and each repetition take no longer than a command may. */
    static CuratorFramework connect(InetSocketAddress server, Duration lease, boolean reachable)
            throws InterruptedException {
        int command = (int) Math.min(1_000, lease.toMillis() / 3);
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                "127.0.0.1:" + server.getPort(),
                (int) lease.toMillis(),
                command,
                new ExponentialBackoffRetry(50, 2, command / 2));
        client.start();
        if (reachable) {
            client.blockUntilConnected((int) CONNECT.toMillis(), TimeUnit.MILLISECONDS);
        }
        return client;
    }

    @Override
    public long entries(Server server) throws Exception {
        try (CuratorFramework client = connect(server.address(), CONNECT, true)) {
            return count(client, ROOT);
        }
    }

    private static long count(CuratorFramework client, String path) throws Exception {
        try {
            long sum = 0;
            for (String child : client.getChildren().forPath(path)) {
                sum += 1 + count(client, path + "/" + child);
            }
            return sum;
        } catch (KeeperException.NoNodeException e) {
            return 0;
        }
    }

    /** As the server's own clean-up of empty containers does, only sooner. */
    @Override
    public void loseCounter(Server server) throws Exception {
        try (CuratorFramework client = connect(server.address(), CONNECT, true)) {
            List<String> names = client.getChildren().forPath(ROOT);
            for (String name : names) {
                try {
                    client.delete().forPath(ROOT + "/" + name);
                } catch (KeeperException.NotEmptyException | KeeperException.NoNodeException e) {
                    // in use, or gone already
                }
            }
        }
    }
}
