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
    private static final String MARK = "}:mark:";

    private final String prefix;

    RedisKeys(String prefix) {
        this.prefix = prefix + FORMAT;
    }

    /** As the scripts want them: entry, counter, tombstone, waiters by arrival, waiters by the time until which they are thought alive. */
    String[] of(LockName name, HolderId holder) {
        String stripe = tag(stripe(name));
        return new String[] {
            stripe + "lock:" + name,
            stripe + "counter",
            stripe + "abandoned:" + holder,
            stripe + "waiters:" + name,
            stripe + "seen:" + name
        };
    }

    /** The first of them, for who does not wait. */
    String[] butWaiters(LockName name, HolderId holder) {
        String stripe = tag(stripe(name));
        return new String[] {stripe + "lock:" + name, stripe + "counter", stripe + "abandoned:" + holder};
    }

    String lock(LockName name) {
        return tag(stripe(name)) + "lock:" + name;
    }

    String seen(LockName name) {
        return tag(stripe(name)) + "seen:" + name;
    }

    /** What a holder leaves that must not be granted any more. */
    String abandoned(LockName name, HolderId holder) {
        return tag(stripe(name)) + "abandoned:" + holder;
    }

    /** What a node of a Redlock remembers of its votes. */
    String member() {
        return prefix + "redlock";
    }

    /** The channel on which the nodes of a Redlock tell that a lock was released. */
    String released(LockName name) {
        return tag(stripe(name)) + "released";
    }

    String counter(int stripe) {
        return tag(stripe) + "counter";
    }

    /** A fence's mark: in the hash slot of the resource, if that is a key. */
    String mark(String resource) {
        return prefix + "{" + HashTag.of(resource) + MARK + resource;
    }

    /** The value of a register, beside its mark. */
    String value(String resource) {
        return prefix + "{" + HashTag.of(resource) + "}:value:" + resource;
    }

    /** What finds all marks, as a pattern of SCAN. */
    String marks() {
        return prefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0") + "{*" + MARK + "*";
    }

    /** Whose mark a key is; a hash tag has no closing brace. */
    String resource(String mark) {
        return mark.substring(mark.indexOf(MARK, prefix.length()) + MARK.length());
    }

    /** What the keys of a lock have in braces: user keys with the same lie on the lock's node. */
    static String hashTag(LockName name) {
        return Integer.toString(stripe(name));
    }

    /** The beginning of the channel names: one channel for each client. */
    String channels() {
        return prefix + "client:";
    }

    static int stripe(LockName name) {
        CRC32 hash = new CRC32();
        hash.update(name.value().getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % STRIPES);
    }

    private String tag(int stripe) {
        return prefix + "{" + stripe + "}:";
    }
}
