package io.fencedlock.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Connects to a Cluster. Lettuce keeps the connections to the nodes; it finds moved slots by itself, by looking every second and at every
 * sign of a change.
 */
final class ClusterDriver implements Driver {

    private static final Duration REFRESH = Duration.ofSeconds(1);
    private static final Duration REFRESH_AT_MOST_EVERY = Duration.ofMillis(200);

    private final RedisSettings settings;
    private final ClientResources resources = LettuceSetup.resources().build();
    private final RedisClusterClient client;

    ClusterDriver(RedisSettings settings) {
        this.settings = settings;
        List<RedisURI> seeds = settings.endpoints().stream()
                .map(endpoint -> LettuceSetup.server(endpoint, settings))
                .toList();
        client = RedisClusterClient.create(resources, seeds);
        ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH)
                        .adaptiveRefreshTriggersTimeout(REFRESH_AT_MOST_EVERY)
                        .refreshTriggersReconnectAttempts(1)
                        .build());
        LettuceSetup.apply(options, settings);
        client.setOptions(options.build());
    }

    @Override
    public CompletionStage<Wire> connect() {
        return client.refreshPartitionsAsync()
                .thenCompose(known -> client.connectAsync(StringCodec.UTF8))
                .thenApply(connection -> new Wire(connection, connection.async(), false));
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub() {
        return client.connectPubSubAsync(StringCodec.UTF8).thenApply(connection -> connection);
    }

    @Override
    public void close() {
        ServerDriver.shutdown(client, resources, settings);
    }
}
