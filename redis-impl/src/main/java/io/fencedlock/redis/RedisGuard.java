package io.fencedlock.redis;

import static io.fencedlock.redis.CheckedChange.Check.GUARD;

import io.fencedlock.Grant;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;

/**
 * Writes that succeed only while the very acquisition of a lock still stands in the same Redis: the script looks at the lock's own entry. Stronger than
 * a fence, which lets an old holder write until the next one has written or advanced: here nothing of an old holder's passes once
 * its entry is gone, whoever comes after. It needs no mark, and the data has to be in the same database (on a Cluster in the same hash slot) as the lock.
 *
 * <pre>{@code
 * RedisGuard guard = RedisGuard.connect("redis://localhost");
 * guard.writer(lease).set("invoice-1041", "sent");     // refused: LeaseLostException
 * }</pre>
 *
 * <p>As with every lock on Redis, a failover may lose the entry, and with it what it guarded against. Thread-safe.
 */
public final class RedisGuard implements AutoCloseable {

    private final Scripts scripts;
    private final RedisKeys keys;

    RedisGuard(Scripts scripts, String prefix) {
        this.scripts = scripts;
        keys = new RedisKeys(prefix);
    }

    /**
     * Opens a connection of its own.
     *
     * @param url that of the locks
     * @return the guard
     * @throws io.fencedlock.LockConfigurationException if the URL is wrong
     */
    public static RedisGuard connect(String url) {
        RedisFence fence = RedisFence.connect(url);
        return fence.guard();
    }

    /**
     * Uses a connection of yours to the locks' database, with its timeout; it stays open.
     *
     * @param connection not in a {@code MULTI}
     * @return the guard
     */
    public static RedisGuard on(StatefulRedisConnection<String, String> connection) {
        return RedisFence.on(connection).guard();
    }

    /**
     * Uses a connection of yours to the locks' Cluster, with its timeout; it stays open.
     *
     * @param connection yours
     * @return the guard
     */
    public static RedisGuard on(StatefulRedisClusterConnection<String, String> connection) {
        return RedisFence.on(connection).guard();
    }

    /**
     * Looks for the locks under another prefix.
     *
     * @param prefix as the option {@code prefix} of the locks' URL
     * @return the changed copy, on the same connection
     * @throws io.fencedlock.LockConfigurationException if the prefix cannot be used
     */
    public RedisGuard withPrefix(String prefix) {
        return new RedisGuard(scripts, RedisSettings.prefix(prefix));
    }

    /**
     * Writes while a lease's entry stands. A write that finds it gone, or another holder's in its place, throws {@link LeaseLostException}.
     *
     * @param lease of a lock on the same Redis
     * @return what to write with; nothing is sent yet
     */
    public RedisWriter writer(Lease lease) {
        return writer(lease.grant());
    }

    private RedisWriter writer(Grant grant) {
        String lock = keys.lock(grant.name());
        return new RedisWriter((change, changed, arguments) -> new Gates(scripts)
                .make(
                        GUARD.with(change),
                        lock,
                        grant.mark(),
                        changed,
                        arguments,
                        answer -> new LeaseLostException(grant, LossReason.NOT_HELD)));
    }

    /**
     * What keys have to have in braces to lie in a lock's hash slot on a Cluster: {@code "{" + hashTag + "}:invoice:1041"}.
     *
     * @param lockName the lock
     * @return digits
     */
    public static String hashTag(String lockName) {
        return RedisKeys.hashTag(new LockName(lockName));
    }

    /** Closes the connection if the guard opened it. Idempotent, never throws. */
    @Override
    public void close() {
        scripts.close();
    }
}
