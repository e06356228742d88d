package io.fencedlock.benchmarks;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.fencedlock.benchmarks.Subject.Trait;
import io.fencedlock.servers.Store;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * What no lock can be below. Where clients wait, raw is the fewest requests that hand a lock from one client to the next in order; they survive no
 * fault.
 */
final class Floors {

    /** What the floor of a workload is called. */
    static final String RAW = "raw";

    private static final String BORN =
            "if redis.call('SET', KEYS[1] .. ':born', '', 'NX') then redis.call('RPUSH', KEYS[1], '') end";

    private Floors() {}

    /** Everything that locks on a store, and where the floor leaves out what any lock has to do, a second one that does it. */
    static List<Subject> andLocks(Store store) {
        Stream<Subject> second = switch (store) {
            case REDIS ->
                Stream.of(Subject.of(RAW + ", SET and DEL", (server, lease) -> RedisSubjects.writing(server.url())));
            case ZOOKEEPER ->
                Stream.of(Subject.of(
                        RAW + " and the list",
                        (server, lease) -> ZooKeeperSubjects.listing(ZooKeeperSubjects.curator(server, lease))));
            default -> Stream.empty();
        };
        return Stream.concat(Subject.on(store).stream(), second).toList();
    }

    /** Whether a subject is a floor, and no lock. */
    static boolean isOne(String subject) {
        return subject.startsWith(RAW);
    }

    /** Everything that waits on a store, the floor first. */
    static List<Subject> andWaiters(Store store) {
        Stream<Subject> waiters =
                Subject.on(store).stream().filter(subject -> subject.traits().contains(Trait.WAITS));
        return Stream.concat(Stream.of(floor(store)), waiters).toList();
    }

    private static Subject floor(Store store) {
        return switch (store) {
            case REDIS -> Subject.of(RAW, (server, lease) -> list(server.url()), Trait.WAITS);
            case ZOOKEEPER ->
                Subject.of(RAW, (server, lease) -> znodes(ZooKeeperSubjects.curator(server, lease)), Trait.WAITS);
            case ETCD ->
                Subject.of(
                        RAW,
                        (server, lease) ->
                                keys(EtcdSubjects.client(server.address().getPort()), lease),
                        Trait.WAITS);
            default -> throw new IllegalArgumentException("no lock on " + store);
        };
    }

    /** A list with one element: it is taken, and pushed for the one who has waited longest. */
    private static Subject.Client list(String url) throws Exception {
        RedisClient client = RedisClient.create(url);
        RedisAsyncCommands<String, String> commands = client.connect().async();
        Set<String> born = ConcurrentHashMap.newKeySet();
        return Subject.client(
                name -> {
                    String list = "floor:" + name;
                    if (born.add(list)) {
                        commands.eval(BORN, ScriptOutputType.STATUS, new String[] {list})
                                .get();
                    }
                    commands.blpop(0, list).get();
                    return () -> commands.rpush(list, "").get();
                },
                RedisSubjects.shutdown(client));
    }

    /** Sequential znodes without gaps, so that nobody has to list them: each watches the one with the number before its own. */
    private static Subject.Client znodes(CuratorFramework client) throws Exception {
        ZooKeeper handle = client.getZookeeperClient().getZooKeeper();
        Set<String> parents = ConcurrentHashMap.newKeySet();
        return Subject.client(
                name -> {
                    String parent = "/floor-" + name;
                    if (parents.add(parent)) {
                        make(handle, parent);
                    }
                    String made = handle.create(
                            parent + "/", new byte[40], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
                    int number = Integer.parseInt(made.substring(parent.length() + 1));
                    awaitEnd(handle, String.format("%s/%010d", parent, number - 1));
                    return () -> handle.delete(made, -1);
                },
                client);
    }

    private static void make(ZooKeeper handle, String parent) throws KeeperException, InterruptedException {
        try {
            handle.create(parent, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
            // another client was first
        }
    }

    private static void awaitEnd(ZooKeeper handle, String path) throws KeeperException, InterruptedException {
        CountDownLatch gone = new CountDownLatch(1);
        try {
            handle.getData(path, event -> gone.countDown(), null);
        } catch (KeeperException.NoNodeException e) {
            return;
        }
        gone.await();
    }

    /** A transaction that enters and tells who came before, a watch on that key and a look at it, a deletion. */
    private static Subject.Client keys(Client client, Duration lease) throws Exception {
        PutOption onLease = PutOption.builder()
                .withLeaseId(EtcdSubjects.lease(client, lease))
                .build();
        AtomicLong number = new AtomicLong(System.nanoTime());
        GetOption last = GetOption.builder()
                .isPrefix(true)
                .withSortField(GetOption.SortTarget.CREATE)
                .withSortOrder(GetOption.SortOrder.DESCEND)
                .withLimit(1)
                .build();
        return Subject.client(
                name -> {
                    ByteSequence queue = EtcdSubjects.bytes("floor/" + name + "/");
                    ByteSequence own = queue.concat(EtcdSubjects.bytes(Long.toHexString(number.incrementAndGet())));
                    TxnResponse entered = client.getKVClient()
                            .txn()
                            .If(new Cmp(own, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
                            .Then(Op.get(queue, last), Op.put(own, EtcdSubjects.bytes("x".repeat(40)), onLease))
                            .commit()
                            .get();
                    GetResponse before = entered.getGetResponses().get(0);
                    if (!before.getKvs().isEmpty()) {
                        awaitEnd(client, before.getKvs().get(0).getKey());
                    }
                    return () -> client.getKVClient()
                            .delete(own, DeleteOption.DEFAULT)
                            .get();
                },
                client);
    }

    /** A watch from now on, since one from an earlier revision is served ten times a second only; and a look once it stands. */
    private static void awaitEnd(Client client, ByteSequence key) throws InterruptedException {
        CountDownLatch gone = new CountDownLatch(1);
        WatchOption fromNow = WatchOption.builder().withCreateNotify(true).build();
        Watch.Watcher watcher = client.getWatchClient().watch(key, fromNow, answer -> {
            if (answer.isCreatedNotify()) {
                var unused = client.getKVClient().get(key).thenAccept(found -> {
                    if (found.getCount() == 0) {
                        gone.countDown();
                    }
                });
            } else if (answer.getEvents().stream()
                    .anyMatch(event -> event.getEventType() == WatchEvent.EventType.DELETE)) {
                gone.countDown();
            }
        });
        try {
            gone.await();
        } finally {
            watcher.close();
        }
    }
}
