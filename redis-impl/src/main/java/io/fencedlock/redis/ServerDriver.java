package io.fencedlock.redis;

import io.fencedlock.Endpoint;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Connects to one server, or to the primary that the Sentinels name, asked anew for each connection. */
final class ServerDriver implements Driver {

    private final RedisSettings settings;
    /** Timeouts of commands and handshakes end on the timer's thread: they are short, and a pool for them would only be idle. */
    private final ClientResources resources = LettuceSetup.resources()
            .eventExecutorGroup(ImmediateEventExecutor.INSTANCE)
            .build();

    private final RedisClient client;

    ServerDriver(RedisSettings settings) {
        this.settings = settings;
        client = RedisClient.create(resources);
        // A lost connection is not repaired but replaced, by Link: so whatever was sent on it is over.
        ClientOptions.Builder options = ClientOptions.builder().autoReconnect(false);
        LettuceSetup.apply(options, settings);
        client.setOptions(options.build());
    }

    @Override
    public CompletionStage<Wire> connect() {
        return primary().thenCompose(this::connect);
    }

    private CompletionStage<Wire> connect(RedisURI uri) {
        return client.connectAsync(StringCodec.UTF8, uri)
                .thenApply(connection -> new Wire(connection, connection.async(), true));
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub() {
        return primary().thenCompose(uri -> client.connectPubSubAsync(StringCodec.UTF8, uri));
    }

    /** One more server with the same settings, on this driver's threads, closed with it. */
    Driver to(Endpoint server) {
        RedisURI uri = LettuceSetup.server(server, settings);
        return new Driver() {
            @Override
            public CompletionStage<Wire> connect() {
                return ServerDriver.this.connect(uri);
            }

            @Override
            public CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub() {
                return client.connectPubSubAsync(StringCodec.UTF8, uri);
            }

            @Override
            public void close() {}
        };
    }

    private CompletionStage<RedisURI> primary() {
        if (settings.topology() == Topology.STANDALONE) {
            return CompletableFuture.completedFuture(
                    LettuceSetup.server(settings.endpoints().get(0), settings));
        }
        return askSentinels(settings.endpoints().iterator(), null)
                .thenApply(address -> LettuceSetup.server(address, settings));
    }

    /** One after the other, until one knows. */
    private CompletionStage<Endpoint> askSentinels(Iterator<Endpoint> left, @Nullable Throwable last) {
        if (!left.hasNext()) {
            return CompletableFuture.failedFuture(
                    last != null
                            ? last
                            : new RedisConnectionException("no Sentinel knows a primary named " + settings.master()));
        }
        return ask(left.next())
                .handle((address, failed) -> address != null
                        ? CompletableFuture.completedFuture(address)
                        : askSentinels(left, failed != null ? failed : last))
                .thenCompose(next -> next);
    }

    private CompletionStage<@Nullable Endpoint> ask(Endpoint sentinel) {
        return client.connectSentinelAsync(StringCodec.UTF8, LettuceSetup.sentinel(sentinel, settings))
                .thenCompose(connection -> connection
                        .async()
                        .getMasterAddrByName(settings.master())
                        .whenComplete((address, failed) -> connection.closeAsync()))
                .thenApply(ServerDriver::endpoint);
    }

    private static @Nullable Endpoint endpoint(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress known ? new Endpoint(known.getHostString(), known.getPort()) : null;
    }

    @Override
    public void close() {
        shutdown(client, resources, settings);
    }

    /** Ends a client and its threads. */
    static void shutdown(AbstractRedisClient client, ClientResources resources, RedisSettings settings) {
        long nanos = settings.commandTimeout().toNanos();
        Patience.await(client.shutdownAsync(0, nanos, TimeUnit.NANOSECONDS), nanos);
        Patience.await(resources.shutdown(0, nanos, TimeUnit.NANOSECONDS), nanos);
    }
}
