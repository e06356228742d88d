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
                Subject.of(Floors.RAW, (server, lease) -> raw(server.url()), Trait.ASYNC),
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
        return scripts(url, "return 1", "return 1");
    }

    /** Two scripts that do no more than any lock has to write. */
    static Subject.Client writing(String url) throws Exception {
        return scripts(
                url,
                "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) return 1",
                "redis.call('DEL', KEYS[1]) return 1");
    }

    private static Subject.Client scripts(String url, String acquire, String release) throws Exception {
        RedisClient client = RedisClient.create(url);
        StatefulRedisConnection<String, String> connection = client.connect();
        RedisAsyncCommands<String, String> commands = connection.async();
        String first = commands.scriptLoad(acquire).get();
        String second = commands.scriptLoad(release).get();
        Subject.AsyncAcquirer acquirer = name -> {
            String[] keys = {name};
            return commands.<Long>evalsha(first, ScriptOutputType.INTEGER, keys, "15000", "holder")
                    .toCompletableFuture()
                    .thenApply(answer -> () -> commands.<Long>evalsha(second, ScriptOutputType.INTEGER, keys, "holder")
                            .get());
        };
        return Subject.client(name -> acquirer.acquire(name).get(), acquirer, shutdown(client));
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
