package io.fencedlock.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The user's own connection, which stays open.
 *
 * @param timeout the connection's; without one a minute
 */
record GivenConnection(RedisClusterAsyncCommands<String, String> redis, boolean isCluster, Duration timeout)
        implements Scripts {

    @Override
    public CompletableFuture<List<Object>> run(Lua script, String[] keys, String... arguments) {
        return redis.<List<Object>>evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments)
                .exceptionallyCompose(failed -> isNoScript(failed)
                        ? redis.eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                        : CompletableFuture.failedFuture(failed))
                .toCompletableFuture();
    }

    private static boolean isNoScript(Throwable failed) {
        return failed instanceof RedisNoScriptException
                || (failed instanceof CompletionException && failed.getCause() instanceof RedisNoScriptException);
    }

    @Override
    public CompletableFuture<RedisClusterAsyncCommands<String, String>> commands(List<String> keys) {
        return CompletableFuture.completedFuture(redis);
    }

    @Override
    public String target() {
        return isCluster ? "Redis Cluster" : "Redis";
    }

    @Override
    public Duration patience() {
        return timeout.isZero() || timeout.isNegative() ? Duration.ofMinutes(1) : timeout;
    }

    @Override
    public void close() {}
}
