package io.fencedlock.redis;

import io.fencedlock.BackendConfig;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Opened by URL. Where the URL asks for it, replicas confirm each change. */
final class OwnConnection implements Scripts {

    private final RedisSettings settings;
    private final Driver driver;
    private final RedisCommands commands;

    OwnConnection(RedisSettings settings, BackendConfig config) {
        this.settings = settings;
        driver = Driver.open(settings);
        commands = new RedisCommands(settings, driver, config.clock(), settings.waitReplicas());
    }

    @Override
    public CompletableFuture<List<Object>> run(Lua script, String[] keys, String... arguments) {
        return commands.run(script, keys, arguments);
    }

    @Override
    public CompletableFuture<RedisClusterAsyncCommands<String, String>> commands(List<String> keys) {
        return commands.wire(keys).thenApply(Wire::commands);
    }

    @Override
    public String target() {
        return settings.target();
    }

    @Override
    public boolean isCluster() {
        return settings.topology() == Topology.CLUSTER;
    }

    /** For the connection, the script by its digest and as a whole, and the replicas: each of these has a time of its own. */
    @Override
    public Duration patience() {
        return settings.commandTimeout().multipliedBy(4);
    }

    @Override
    public void close() {
        commands.close();
        driver.close();
    }
}
