package io.fencedlock.redis;

import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Names of keys and channels: storage format 1.
 *
 * <p>Lock names hash to {@value #STRIPES} stripes. What belongs to a stripe shares its hash tag and so lies on one node of a Cluster; the
 * counter is per stripe, so nothing stays per name. The number of stripes belongs to the format: two clients that disagreed on it
 * would lock one name twice.
 */
final class RedisKeys {

    static final int STRIPES = 1024;
    private static final String FORMAT = "1:";

    private final String prefix;

    RedisKeys(String prefix) {
        this.prefix = prefix + FORMAT;
    }

    /** As the scripts want them: entry, counter, waiters by arrival, waiters by the time until which they are thought alive, tombstone. */
    String[] of(LockName name, HolderId holder) {
        String stripe = stripe(name.value());
        return new String[] {
            stripe + "lock:" + name,
            stripe + "counter",
            stripe + "waiters:" + name,
            stripe + "seen:" + name,
            stripe + "abandoned:" + holder
        };
    }

    String lock(LockName name) {
        return stripe(name.value()) + "lock:" + name;
    }

    String seen(LockName name) {
        return stripe(name.value()) + "seen:" + name;
    }

    String counter(int stripe) {
        return tag(stripe) + "counter";
    }

    /** A register's key: no counter goes with it, but it is spread and found in the same way. */
    String register(String resource) {
        return stripe(resource) + "register:" + resource;
    }

    /** The beginning of the channel names: one channel for each client. */
    String channels() {
        return prefix + "client:";
    }

    private String stripe(String name) {
        CRC32 hash = new CRC32();
        hash.update(name.getBytes(StandardCharsets.UTF_8));
        return tag((int) (hash.getValue() % STRIPES));
    }

    private String tag(int stripe) {
        return prefix + "{" + stripe + "}:";
    }
}
