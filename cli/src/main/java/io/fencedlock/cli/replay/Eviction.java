package io.fencedlock.cli.replay;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;

/** Deletes the library's locks in a store, and with them what its tokens come from: as an operator does, or a store that is short of memory. */
final class Eviction {
    private static final Duration SESSION = Duration.ofSeconds(10);

    private Eviction() {}

    static void at(Location location) {
        try {
            switch (location.scheme()) {
                case "redis" -> redis(location);
                case "zookeeper" -> zooKeeper(location);
                default -> etcd(location);
            }
        } catch (RedisException | StatusRuntimeException e) {
            throw new IllegalStateException("the locks could not be deleted: " + e.getMessage(), e);
        }
    }

    private static void redis(Location location) {
        RedisClient client = RedisClient.create(location.url().replaceFirst("\\?.*", ""));
        try {
            RedisCommands<String, String> commands = client.connect().sync();
            ScanIterator<String> keys = ScanIterator.scan(commands, ScanArgs.Builder.matches("fencedlock:1:{*"));
            keys.stream().filter(key -> !key.contains("}:register:")).forEach(commands::del);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    private static void zooKeeper(Location location) {
        try (CuratorFramework client = ZooKeeperArticleLock.connect(location, SESSION)) {
            client.delete().deletingChildrenIfNeeded().forPath("/fencedlock/v1/locks");
            client.delete().forPath("/fencedlock/v1/base");
        } catch (KeeperException.NoNodeException e) {
            // it is gone
        } catch (Exception e) {
            throw ZooKeeperArticleLock.failed(e);
        }
    }

    private static void etcd(Location location) {
        ManagedChannel channel = EtcdArticleLock.connect(location);
        try {
            for (String prefix : List.of("locks/", "base")) {
                ByteString first = ByteString.copyFromUtf8("fencedlock/" + prefix);
                byte[] end = first.toByteArray();
                end[end.length - 1]++;
                EtcdArticleLock.keys(channel)
                        .deleteRange(DeleteRangeRequest.newBuilder()
                                .setKey(first)
                                .setRangeEnd(ByteString.copyFrom(end))
                                .build());
            }
        } finally {
            channel.shutdownNow();
        }
    }
}
