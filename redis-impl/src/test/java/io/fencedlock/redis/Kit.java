package io.fencedlock.redis;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendConfig;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockProvider;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.Option;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** What the tests of this module share. */
final class Kit {

    static final Duration LEASE = Duration.ofSeconds(15);
    static final Duration LONG = Duration.ofMinutes(1);

    private Kit() {}

    /** A backend under the engine that owns it; the engine is idle. */
    record Opened(FencedLocks locks, FencedLockBackend backend) implements AutoCloseable {
        @Override
        public void close() {
            locks.close();
        }
    }

    /** Opens a backend for use through the SPI; without a timeout of the test's own, with one that a busy machine keeps. */
    static Opened open(String given) {
        String url = given.contains("command-timeout")
                ? given
                : given + (given.contains("?") ? "&" : "?") + "command-timeout=10s";
        AtomicReference<FencedLockBackend> seen = new AtomicReference<>();
        FencedLockProvider redis = new RedisProvider();
        FencedLockProvider spy = new FencedLockProvider() {
            @Override
            public String name() {
                return redis.name();
            }

            @Override
            public Map<String, Integer> schemes() {
                return redis.schemes();
            }

            @Override
            public List<Option<?>> options() {
                return redis.options();
            }

            @Override
            public FencedLockBackend open(BackendConfig config) {
                seen.set(redis.open(config));
                return seen.get();
            }

            @Override
            public FencedRegister openRegister(BackendConfig config) {
                return redis.openRegister(config);
            }
        };
        FencedLocks locks = FencedLocks.configure().provider(spy).url(url).connect();
        return new Opened(locks, seen.get());
    }

    /** The answer, or what a backend fails with. */
    static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within 20 s", e);
        }
    }

    static AcquireRequest ask(String name, HolderId holder, Duration lease) {
        return new AcquireRequest(new LockName(name), holder, lease, Duration.ZERO);
    }

    static AcquireRequest askWaiting(String name, HolderId holder, Duration lease) {
        return new AcquireRequest(new LockName(name), holder, lease, LONG);
    }

    static Grant acquire(FencedLockBackend backend, String name) throws Exception {
        return acquire(backend, name, HolderId.random(), LEASE);
    }

    static Grant acquire(FencedLockBackend backend, String name, HolderId holder, Duration lease) throws Exception {
        Attempt attempt = get(backend.acquire(ask(name, holder, lease)));
        if (attempt instanceof Attempt.Granted granted) {
            return granted.grant();
        }
        throw new AssertionError(name + " is held");
    }

    static Attempt.Held held(Attempt attempt) {
        if (attempt instanceof Attempt.Held held) {
            return held;
        }
        throw new AssertionError("not held: " + attempt);
    }

    static Attempt.Granted granted(Attempt attempt) {
        if (attempt instanceof Attempt.Granted granted) {
            return granted;
        }
        throw new AssertionError("not granted: " + attempt);
    }

    /** Asks, and once more when the subscription is ready: from then on the holder stands among the waiters. */
    static Attempt.Held queue(FencedLockBackend backend, String name, HolderId holder, Duration lease)
            throws Exception {
        Attempt.Held first = held(get(backend.acquire(askWaiting(name, holder, lease))));
        int waiters = backend.inspect(new LockName(name))
                .toCompletableFuture()
                .get()
                .orElseThrow()
                .waiters()
                .orElseThrow();
        if (waiters > 0) {
            return first;
        }
        get(first.changed());
        return held(get(backend.acquire(askWaiting(name, holder, lease))));
    }

    /** A plain connection to look at the server and to trouble it. */
    static final class Admin implements AutoCloseable {

        private final RedisClient client;
        private final StatefulRedisConnection<String, String> connection;

        Admin(String url) {
            client = RedisClient.create(RedisURI.create(url));
            connection = client.connect();
        }

        RedisCommands<String, String> redis() {
            return connection.sync();
        }

        StatefulRedisConnection<String, String> connection() {
            return connection;
        }

        /** How often clients sent a command: those of scripts are counted apart. */
        long calls(String command) {
            return redis().info("commandstats")
                    .lines()
                    .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                    .map(line -> line.replaceAll("^[^:]*:calls=(\\d+).*", "$1"))
                    .mapToLong(Long::parseLong)
                    .sum();
        }

        /** How many scripts clients had run, by digest or as a whole. */
        long scripts() {
            return calls("evalsha") + calls("eval");
        }

        /** All keys but the counters, which stay. */
        List<String> leftovers() {
            return redis().keys("*").stream()
                    .filter(key -> !key.endsWith(":counter"))
                    .sorted()
                    .toList();
        }

        @Override
        public void close() {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }
}
