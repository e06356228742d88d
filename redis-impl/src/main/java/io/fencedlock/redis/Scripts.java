package io.fencedlock.redis;

import io.fencedlock.OutcomeUnknownException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where fences and guards send to: a connection of their own, or the user's. Thread-safe. */
interface Scripts extends AutoCloseable {

    /** Runs a script, by its digest where the server knows it. */
    CompletableFuture<List<Object>> run(Lua script, String[] keys, String... arguments);

    /** What is no script is sent with, once the nodes that have some keys are reached. */
    CompletableFuture<RedisClusterAsyncCommands<String, String>> commands(List<String> keys);

    /** The servers as people know them. */
    String target();

    boolean isCluster();

    /** The longest wait for an answer. */
    Duration patience();

    @Override
    void close();

    /** Runs a script and waits for its answer. */
    default List<Object> ask(Lua script, String[] keys, String... arguments) {
        return await(run(script, keys, arguments));
    }

    /** Sends what is no script, about these keys if any, and waits for its answer. */
    default <T extends @Nullable Object> T send(
            List<String> keys,
            Function<RedisClusterAsyncCommands<String, String>, ? extends CompletionStage<T>> command) {
        return await(commands(keys).thenCompose(command));
    }

    /** Waits; what it throws has the caller's stack. */
    default <T extends @Nullable Object> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw RedisErrors.of(target(), new CompletionException(e.getCause()));
        } catch (TimeoutException e) {
            throw new OutcomeUnknownException(
                    "no answer from " + target() + " within " + patience().toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException("interrupted while waiting for " + target(), e);
        }
    }
}
