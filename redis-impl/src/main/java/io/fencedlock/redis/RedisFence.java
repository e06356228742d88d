package io.fencedlock.redis;

import static io.fencedlock.redis.CheckedChange.Check.FENCE;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.MarkInfo;
import io.fencedlock.StaleTokenException;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fences in Redis: a resource's mark is a key, in the hash slot of the resource's name, and check, mark and write are one script. On one
 * server, behind Sentinel and on a Cluster; exact over 63 bits.
 *
 * <pre>{@code
 * RedisFence fence = RedisFence.on(connection);
 * fence.advance("invoice-1041", lease);                                // before reading what the write is computed from
 * fence.writer("invoice-1041", lease).set("invoice-1041", "sent");     // refused: StaleTokenException
 * }</pre>
 *
 * <p>A script that was admitted and then fails (a key of another type) leaves the mark raised. What Redis loses by a failover, marks
 * included, is lost: a URL with {@code wait-replicas} makes each write wait for replicas. Marks stand under the prefix {@code fencedlock:} unless told
 * otherwise. Beside {@code eval evalsha get set time} and the commands of the writes a user needs {@code del} to remove, {@code scan mget} to list.
 */
public final class RedisFence implements Fence {

    private static final int PAGE = 1000;

    private final Scripts scripts;
    private final String prefix;
    private final RedisKeys keys;

    RedisFence(Scripts scripts, String prefix) {
        this.scripts = scripts;
        this.prefix = prefix;
        keys = new RedisKeys(prefix);
    }

    /**
     * Opens a connection of its own.
     *
     * @param url as for {@link FencedLocks#connect(String)}, of one of the schemes of {@link RedisProvider}
     * @return the fence
     * @throws io.fencedlock.LockConfigurationException if the URL is wrong
     */
    public static RedisFence connect(String url) {
        return (RedisFence) FencedLocks.configure()
                .provider(new RedisProvider())
                .url(url)
                .environment(System.getenv())
                .openFence();
    }

    /**
     * Uses a connection of yours, with its timeout; it stays open.
     *
     * @param connection not in a {@code MULTI}
     * @return the fence
     */
    public static RedisFence on(StatefulRedisConnection<String, String> connection) {
        return new RedisFence(
                new GivenConnection(connection.async(), false, connection.getTimeout()), RedisProvider.DEFAULT_PREFIX);
    }

    /**
     * Uses a connection of yours to a Cluster, with its timeout; it stays open.
     *
     * @param connection yours
     * @return the fence
     */
    public static RedisFence on(StatefulRedisClusterConnection<String, String> connection) {
        return new RedisFence(
                new GivenConnection(connection.async(), true, connection.getTimeout()), RedisProvider.DEFAULT_PREFIX);
    }

    /**
     * Keeps the marks under another prefix.
     *
     * @param prefix as the option {@code prefix} of a URL
     * @return the changed copy, on the same connection
     * @throws io.fencedlock.LockConfigurationException if the prefix cannot be used
     */
    public RedisFence withPrefix(String prefix) {
        return new RedisFence(scripts, RedisSettings.prefix(prefix));
    }

    /**
     * Writes with a lease's token to the resource that is named as its lock; see {@link #writer(String, FenceMark)}.
     *
     * @param lease the writer's
     * @return what to write with
     */
    public RedisWriter writer(Lease lease) {
        return writer(lease.grant().name().value(), lease.mark());
    }

    /**
     * Writes with a lease's token; see {@link #writer(String, FenceMark)}.
     *
     * @param resource what is to be written
     * @param lease the writer's
     * @return what to write with
     */
    public RedisWriter writer(String resource, Lease lease) {
        return writer(resource, lease.mark());
    }

    /**
     * Writes with a token. Each write checks the token against the resource's mark and raises the mark; a repeat by the same holder passes. A write that is
     * refused throws {@link StaleTokenException} with both tokens.
     *
     * @param resource what is to be written; which keys belong to it is for you to say, on a Cluster they are in the hash slot of its name
     * @param mark the writer's, from {@link Lease#mark()}
     * @return what to write with; nothing is sent yet
     */
    public RedisWriter writer(String resource, FenceMark mark) {
        String key = markOf(resource);
        return new RedisWriter((change, changed, arguments) -> new Gates(scripts)
                .make(
                        FENCE.with(change),
                        key,
                        mark,
                        changed,
                        arguments,
                        answer -> new StaleTokenException(
                                resource, mark.token(), Long.parseLong(String.valueOf(answer.get(1))))));
    }

    /** Checks ownership over the same connection. */
    RedisGuard guard() {
        return new RedisGuard(scripts, prefix);
    }

    private String markOf(String resource) {
        return keys.mark(new LockName(resource).value());
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        writer(resource, mark).nothing();
    }

    @Override
    public FenceMark raise(String resource, long token) {
        FenceMark raised = new FenceMark(token, null);
        List<Object> answer =
                scripts.ask(Script.RAISE_MARK, new String[] {markOf(resource)}, String.valueOf(raised.token()));
        return StoredMark.parse(String.valueOf(answer.get(0))).mark();
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        String key = markOf(resource);
        return Optional.ofNullable(scripts.<@Nullable String>send(List.of(key), redis -> redis.get(key)))
                .map(stored -> StoredMark.parse(stored).mark());
    }

    @Override
    public void forEachMark(Consumer<MarkInfo> action) {
        forEachPage(page -> scripts.send(page, redis -> redis.mget(page.toArray(String[]::new)))
                .forEach(found -> found.optional()
                        .map(StoredMark::parse)
                        .map(stored -> stored.of(keys.resource(found.getKey())))
                        .ifPresent(action)));
    }

    @Override
    public long expire(Duration unusedFor) {
        if (unusedFor.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a mark lives at least 1 s after its last use, found " + unusedFor);
        }
        String seconds = String.valueOf(unusedFor.plusNanos(999_999_999).toSeconds());
        long[] expired = {0};
        forEachPage(page -> {
            List<CompletableFuture<List<Object>>> answers = page.stream()
                    .map(key -> scripts.run(Script.EXPIRE_MARK, new String[] {key}, seconds))
                    .toList();
            answers.forEach(answer -> expired[0] += (Long) scripts.await(answer).get(0));
        });
        return expired[0];
    }

    /** The keys of marks: each once, though the server may tell of one twice. */
    private void forEachPage(Consumer<List<String>> action) {
        ScanArgs marks = ScanArgs.Builder.matches(keys.marks()).limit(PAGE);
        Set<String> seen = new HashSet<>();
        KeyScanCursor<String> cursor = scripts.send(List.of(), redis -> redis.scan(marks));
        while (true) {
            List<String> page = cursor.getKeys().stream().filter(seen::add).toList();
            if (!page.isEmpty()) {
                action.accept(page);
            }
            if (cursor.isFinished()) {
                return;
            }
            KeyScanCursor<String> last = cursor;
            cursor = scripts.send(List.of(), redis -> redis.scan(last, marks));
        }
    }

    @Override
    public boolean remove(String resource) {
        String key = markOf(resource);
        return scripts.send(List.of(key), redis -> redis.del(key)) > 0;
    }

    @Override
    public void close() {
        scripts.close();
    }
}
