package io.fencedlock.servers;

/** A cluster of which this module can start a throw-away one. */
public enum Topology {
    /** A Redis primary with two replicas, watched by three Sentinels; down after 1 s. The master's name is {@code main}. */
    REDIS_SENTINEL(Store.REDIS, "redis-sentinel"),
    /** Redis Cluster: three primaries with one replica each; node timeout 1 s. */
    REDIS_CLUSTER(Store.REDIS, "redis-cluster"),
    /** Five Redis servers that know nothing of each other. */
    REDLOCK(Store.REDIS, "redlock"),
    /** Three members of etcd. */
    ETCD_3(Store.ETCD, "etcd"),
    /** Three voting members of ZooKeeper. */
    ZOOKEEPER_3(Store.ZOOKEEPER, "zookeeper");

    private final Store store;
    private final String scheme;

    Topology(Store store, String scheme) {
        this.store = store;
        this.scheme = scheme;
    }

    /**
     * What the nodes are.
     *
     * @return the store
     */
    public Store store() {
        return store;
    }

    /**
     * The scheme of the cluster's URL.
     *
     * @return for example {@code redis-sentinel}
     */
    public String scheme() {
        return scheme;
    }
}
