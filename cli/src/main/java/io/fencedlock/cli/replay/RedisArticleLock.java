package io.fencedlock.cli.replay;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Optional;

/** {@code SET key owner NX PX lease} and {@code GETDEL key}. */
final class RedisArticleLock implements ArticleLock {
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    RedisArticleLock(Location location) {
        client = RedisClient.create(location.url().replaceFirst("\\?.*", ""));
        connection = client.connect();
    }

    @Override
    public boolean take(String name, String owner, Duration lease) {
        return connection.sync().set(key(name), owner, SetArgs.Builder.nx().px(lease)) != null;
    }

    @Override
    public Optional<String> delete(String name) {
        return Optional.ofNullable(connection.sync().getdel(key(name)));
    }

    private static String key(String name) {
        return "article-lock:" + name;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
