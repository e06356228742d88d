package io.fencedlock.benchmarks;

import io.fencedlock.benchmarks.Subject.Trait;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** What locks on Redis. */
final class RedisSubjects {

    private static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private RedisSubjects() {}

    static List<Subject> all() {
        return List.of(
                Subject.of("raw", (server, lease) -> raw(server.url()), Trait.ASYNC),
                FencedLockSubject.onAnyStore(),
                Subject.of(
                        "Redisson RFencedLock",
                        (server, lease) -> redissonFenced(server.url(), lease),
                        Trait.WAITS,
                        Trait.RENEWS,
                        Trait.ASYNC),
                Subject.of(
                        "Redisson RLock",
                        (server, lease) -> redisson(server.url(), lease),
                        Trait.WAITS,
                        Trait.RENEWS,
                        Trait.ASYNC),
                Subject.of(
                        "Spring RedisLockRegistry",
                        (server, lease) -> spring(server.address().getPort(), lease),
                        Trait.WAITS),
                Subject.of(
                        "article's recipe (SET and INCR not counted)",
                        (server, lease) -> recipe(server.url(), lease),
                        Trait.WAITS));
    }

    /** Two trivial scripts. */
    private static Subject.Client raw(String url) throws Exception {
        RedisClient client = RedisClient.create(url);
        StatefulRedisConnection<String, String> connection = client.connect();
        RedisAsyncCommands<String, String> commands = connection.async();
        String sha = commands.scriptLoad("return 1").get();
        return Subject.client(
                name -> {
                    String[] keys = {name};
                    commands.<Long>evalsha(sha, ScriptOutputType.INTEGER, keys, "lease", "holder")
                            .get();
                    return () -> commands.<Long>evalsha(sha, ScriptOutputType.INTEGER, keys, "holder")
                            .get();
                },
                name -> commands.<Long>evalsha(sha, ScriptOutputType.INTEGER, new String[] {name}, "lease", "holder")
                        .toCompletableFuture()
                        .thenApply(answer -> () -> commands.<Long>evalsha(
                                        sha, ScriptOutputType.INTEGER, new String[] {name}, "holder")
                                .get()),
                shutdown(client));
    }

    /** At once: its own time to grow quiet would only be waited for. */
    static AutoCloseable shutdown(RedisClient client) {
        return () -> client.shutdown(0, 2, TimeUnit.SECONDS);
    }

    private static RedissonClient redissonClient(String url, Duration lease) {
        Config config = new Config();
        config.setLockWatchdogTimeout(lease.toMillis());
        config.useSingleServer().setAddress(url).setConnectionMinimumIdleSize(4).setConnectionPoolSize(64);
        return Redisson.create(config);
    }

    private static Subject.Client redissonFenced(String url, Duration lease) {
        RedissonClient client = redissonClient(url, lease);
        return Subject.client(
                name -> {
                    RFencedLock lock = client.getFencedLock(name);
                    lock.lockAndGetToken();
                    return lock::unlock;
                },
                name -> {
                    RFencedLock lock = client.getFencedLock(name);
                    return lock.lockAndGetTokenAsync().toCompletableFuture().thenApply(token -> lock::unlock);
                },
                client::shutdown);
    }

    private static Subject.Client redisson(String url, Duration lease) {
        RedissonClient client = redissonClient(url, lease);
        return Subject.client(
                name -> {
                    RLock lock = client.getLock(name);
                    lock.lock();
                    return lock::unlock;
                },
                name -> {
                    RLock lock = client.getLock(name);
                    return lock.lockAsync().toCompletableFuture().thenApply(nothing -> lock::unlock);
                },
                client::shutdown);
    }

    private static Subject.Client spring(int port, Duration lease) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
        factory.afterPropertiesSet();
        factory.start();
        RedisLockRegistry registry = new RedisLockRegistry(factory, "spring", lease.toMillis());
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
        return Subject.client(
                name -> {
                    Lock lock = registry.obtain(name);
                    lock.lock();
                    return lock::unlock;
                },
                () -> {
                    registry.destroy();
                    factory.destroy();
                });
    }

    /** SET NX PX, INCR, poll, compare and delete, by hand. */
    private static Subject.Client recipe(String url, Duration lease) throws Exception {
        RedisClient client = RedisClient.create(url);
        RedisAsyncCommands<String, String> commands = client.connect().async();
        String sha = commands.scriptLoad(RELEASE).get();
        return Subject.client(
                name -> {
                    String owner = UUID.randomUUID().toString();
                    while (!"OK"
                            .equals(commands.set(
                                            name, owner, SetArgs.Builder.nx().px(lease.toMillis()))
                                    .get())) {
                        TimeUnit.MILLISECONDS.sleep(10);
                    }
                    commands.incr("token:" + name).get();
                    return () -> commands.<Long>evalsha(sha, ScriptOutputType.INTEGER, new String[] {name}, owner)
                            .get();
                },
                shutdown(client));
    }
}
