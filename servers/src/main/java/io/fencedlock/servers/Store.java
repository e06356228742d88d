package io.fencedlock.servers;

import java.util.Locale;

/** A store of which this module can start throw-away servers. */
public enum Store {
    /** Redis, one standalone server with an append-only file that is flushed at each write. */
    REDIS("Redis", "redis", "rediss"),
    /** ZooKeeper, one standalone server with a tick of 500 ms. */
    ZOOKEEPER("ZooKeeper", "zookeeper", "zookeepers"),
    /** etcd, one member, without fsync. */
    ETCD("etcd", "etcd", "etcds"),
    /** PostgreSQL, without fsync: database and user {@code postgres}, no password, no TLS. */
    POSTGRESQL("PostgreSQL", "postgresql", "postgresql"),
    /** MariaDB: database {@code test}, user {@code root}, no password, no TLS. */
    MARIADB("MariaDB", "mariadb", "mariadb");

    private final String title;
    private final String scheme;
    private final String tlsScheme;

    Store(String title, String scheme, String tlsScheme) {
        this.title = title;
        this.scheme = scheme;
        this.tlsScheme = tlsScheme;
    }

    /**
     * The scheme of this store's URLs.
     *
     * @return for example {@code redis}
     */
    public String scheme() {
        return scheme;
    }

    /**
     * The scheme of this store's URLs when the connection is encrypted.
     *
     * @return for example {@code rediss}
     */
    public String tlsScheme() {
        return tlsScheme;
    }

    /** The name as its makers write it, for messages. */
    String title() {
        return title;
    }

    /** The system property that gives the address of a running server. */
    String addressProperty() {
        return "fencedlock.servers." + scheme;
    }

    /** The environment variable that gives the address of a running server. */
    String addressVariable() {
        return "FENCEDLOCK_SERVERS_" + name().toUpperCase(Locale.ROOT);
    }
}
