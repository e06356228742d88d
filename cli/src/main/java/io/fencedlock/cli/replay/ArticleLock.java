package io.fencedlock.cli.replay;

import java.time.Duration;
import java.util.Optional;

/**
 * The lock of the article, with a store's bare driver and not with this library: an entry that is created if absent and ends by itself, and a
 * release that deletes it without a look at whose it is. For showing what goes wrong. Used by one thread.
 */
interface ArticleLock extends AutoCloseable {

    /** One try. */
    boolean take(String name, String owner, Duration lease);

    /** The plain delete. Answers whose lock that was, if anybody's; it makes no difference to it. */
    Optional<String> delete(String name);

    @Override
    void close();

    /** The one of a store, for a plain connection. */
    static ArticleLock at(Location location, Duration lease) {
        return switch (location.scheme()) {
            case "redis" -> new RedisArticleLock(location);
            case "zookeeper" -> new ZooKeeperArticleLock(location, lease);
            case "etcd" -> new EtcdArticleLock(location);
            default -> throw new IllegalArgumentException("no lock of the article for " + location.scheme());
        };
    }
}
