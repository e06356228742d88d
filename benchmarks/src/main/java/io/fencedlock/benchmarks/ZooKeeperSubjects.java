package io.fencedlock.benchmarks;

import io.fencedlock.benchmarks.Subject.Trait;
import io.fencedlock.servers.Server;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** What locks on ZooKeeper. */
final class ZooKeeperSubjects {

    private ZooKeeperSubjects() {}

    static List<Subject> all() {
        return List.of(
                Subject.of(Floors.RAW, (server, lease) -> raw(curator(server, lease)), Trait.ASYNC),
                FencedLockSubject.onAnyStore(),
                Subject.of(
                        "Curator InterProcessMutex",
                        (server, lease) -> mutex(curator(server, lease)),
                        Trait.WAITS,
                        Trait.RENEWS),
                Subject.of(
                        "Curator InterProcessSemaphoreMutex",
                        (server, lease) -> semaphore(curator(server, lease)),
                        Trait.WAITS,
                        Trait.RENEWS));
    }

    static CuratorFramework curator(Server server, Duration lease) throws InterruptedException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                "127.0.0.1:" + server.address().getPort(),
                (int) lease.toMillis(),
                (int) lease.toMillis(),
                new ExponentialBackoffRetry(100, 3));
        client.start();
        client.blockUntilConnected();
        return client;
    }

    /** One sequential create and one delete. */
    private static Subject.Client raw(CuratorFramework client) throws Exception {
        return raw(client, false);
    }

    /** With the list of those who contend, asked for in one flight with the create. */
    static Subject.Client listing(CuratorFramework client) throws Exception {
        return raw(client, true);
    }

    private static Subject.Client raw(CuratorFramework client, boolean listed) throws Exception {
        ZooKeeper handle = client.getZookeeperClient().getZooKeeper();
        if (handle.exists("/raw", false) == null) {
            handle.create("/raw", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        byte[] data = new byte[40];
        Subject.AsyncAcquirer acquirer = name -> {
            CompletableFuture<String> created = new CompletableFuture<>();
            handle.create(
                    "/raw/c-",
                    data,
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL_SEQUENTIAL,
                    (code, path, context, made, stat) -> settle(created, code, path, made),
                    null);
            CompletableFuture<String> entered = created;
            if (listed) {
                CompletableFuture<String> list = new CompletableFuture<>();
                handle.getChildren("/raw", false, (code, path, context, all) -> settle(list, code, path, path), null);
                entered = created.thenCombine(list, (path, all) -> path);
            }
            return entered.thenApply(path -> () -> {
                CompletableFuture<String> deleted = new CompletableFuture<>();
                handle.delete(path, -1, (code, asked, context) -> settle(deleted, code, asked, asked), null);
                deleted.get();
            });
        };
        return Subject.client(name -> acquirer.acquire(name).get(), acquirer, client);
    }

    private static void settle(CompletableFuture<String> answer, int code, String path, String value) {
        if (code == KeeperException.Code.OK.intValue()) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(KeeperException.create(KeeperException.Code.get(code), path));
        }
    }

    private static Subject.Client mutex(CuratorFramework client) {
        return Subject.client(
                name -> {
                    InterProcessMutex mutex = new InterProcessMutex(client, "/mutex/" + name);
                    mutex.acquire();
                    return mutex::release;
                },
                client);
    }

    private static Subject.Client semaphore(CuratorFramework client) {
        return Subject.client(
                name -> {
                    InterProcessSemaphoreMutex mutex = new InterProcessSemaphoreMutex(client, "/semaphore/" + name);
                    mutex.acquire();
                    return mutex::release;
                },
                client);
    }
}
