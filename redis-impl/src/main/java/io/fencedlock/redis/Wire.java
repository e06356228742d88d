package io.fencedlock.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.ConnectionIntent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A connection for commands.
 *
 * @param connection what to close
 * @param commands what to send with
 * @param single whether it is one TCP connection to one server, which is lost when that is; else the driver keeps it up
 */
record Wire(
        StatefulConnection<String, String> connection,
        RedisClusterAsyncCommands<String, String> commands,
        boolean single) {

    private static final CompletableFuture<Void> THERE = CompletableFuture.completedFuture(null);

    /**
     * Completes when the nodes that have some keys are connected, or with why one is not; at once where there is one connection. Lettuce connects to a
     * node of a Cluster when it is first needed, and refuses what is sent to it meanwhile.
     */
    CompletableFuture<?> reach(List<String> keys) {
        return connection instanceof StatefulRedisClusterConnection<String, String> cluster
                ? CompletableFuture.allOf(
                        keys.stream().map(key -> reach(cluster, key)).toArray(CompletableFuture<?>[]::new))
                : THERE;
    }

    private static CompletableFuture<?> reach(StatefulRedisClusterConnection<String, String> cluster, String key) {
        RedisClusterNode node = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
        return node == null
                ? THERE // the driver says what is the matter
                : cluster.getConnectionAsync(
                        node.getUri().getHost(), node.getUri().getPort(), ConnectionIntent.WRITE);
    }

    /** The connection, if it is for us to replace it. */
    Optional<StatefulConnection<?, ?>> watched() {
        return single ? Optional.of(connection) : Optional.empty();
    }
}
