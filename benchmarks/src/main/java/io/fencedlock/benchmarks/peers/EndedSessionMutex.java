package io.fencedlock.benchmarks.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/**
 * What happens to a holder whose session ends while its process runs: each acquisition has a client of its own, and the server ends its session
 * at the lease's time, as it does for a session that it has not heard of.
 */
final class EndedSessionMutex implements PeerMutex {

    private final String name;
    private final Duration lease;
    private final Callable<CuratorFramework> open;

    EndedSessionMutex(String name, Duration lease, Callable<CuratorFramework> open) {
        this.name = name;
        this.lease = lease;
        this.open = open;
    }

    @Override
    public PeerHold acquire() throws Exception {
        return tryAcquire(Duration.ofMinutes(1)).orElseThrow();
    }

    @Override
    public Optional<PeerHold> tryAcquire(Duration wait) throws Exception {
        CuratorFramework own = open.call();
        CuratorPeerClient client = new CuratorPeerClient(own, lease, CuratorPeer.Use.OWN_THREAD, open);
        Optional<PeerHold> hold = new OwnThreadMutex(client, name, () -> closeLater(own)).tryAcquire(wait);
        if (hold.isEmpty()) {
            own.close();
            return hold;
        }
        ZooKeeper handle = own.getZookeeperClient().getZooKeeper();
        Thread end =
                new Thread(() -> endLater(own, handle.getSessionId(), handle.getSessionPasswd()), "peer-session-end");
        end.setDaemon(true);
        end.start();
        return hold;
    }

    @Override
    public CompletableFuture<PeerHold> acquireAsync() {
        return PeerLease.inThread(this::acquire);
    }

    /** Not a part of the release. */
    private static void closeLater(CuratorFramework client) {
        Thread close = new Thread(client::close, "peer-close");
        close.setDaemon(true);
        close.start();
    }

    /** Whoever knows a session can close it. */
    private void endLater(CuratorFramework client, long session, byte[] password) {
        try {
            TimeUnit.NANOSECONDS.sleep(lease.toNanos());
            CountDownLatch connected = new CountDownLatch(1);
            String servers = client.getZookeeperClient().getCurrentConnectionString();
            ZooKeeper twin = new ZooKeeper(
                    servers,
                    (int) lease.toMillis(),
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    session,
                    password);
            connected.await(5, TimeUnit.SECONDS);
            twin.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
