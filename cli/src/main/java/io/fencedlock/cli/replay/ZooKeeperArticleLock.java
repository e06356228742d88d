package io.fencedlock.cli.replay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** An ephemeral node, which ends with its client's session, and a delete of whatever stands at its path. */
final class ZooKeeperArticleLock implements ArticleLock {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int PAUSE_MILLIS = 50;

    private final CuratorFramework client;

    /** The session's time is the lease. */
    ZooKeeperArticleLock(Location location, Duration lease) {
        client = connect(location, lease);
    }

    static CuratorFramework connect(Location location, Duration session) {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                location.hostAndPort(),
                Math.toIntExact(session.toMillis()),
                PATIENCE_MILLIS,
                new RetryUntilElapsed(PATIENCE_MILLIS, PAUSE_MILLIS));
        client.start();
        return client;
    }

    @Override
    public boolean take(String name, String owner, Duration lease) {
        try {
            client.create().withMode(CreateMode.EPHEMERAL).forPath(path(name), owner.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false;
        } catch (Exception e) {
            throw failed(e);
        }
    }

    @Override
    public Optional<String> delete(String name) {
        try {
            byte[] owner = client.getData().forPath(path(name));
            client.delete().forPath(path(name));
            return Optional.of(new String(owner, StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (Exception e) {
            throw failed(e);
        }
    }

    /** Curator declares that anything may be thrown. */
    static IllegalStateException failed(Exception e) {
        return new IllegalStateException("ZooKeeper: " + e, e);
    }

    private static String path(String name) {
        return "/article-lock-" + name;
    }

    @Override
    public void close() {
        client.close();
    }
}
