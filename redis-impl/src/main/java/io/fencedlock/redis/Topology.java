package io.fencedlock.redis;

import java.util.Map;
import java.util.TreeMap;

/** How the servers of a URL belong together. */
enum Topology {
    /** One server. */
    STANDALONE("redis", "rediss", 6379),
    /** A primary with replicas, found by asking its Sentinels. */
    SENTINEL("redis-sentinel", "rediss-sentinel", 26379),
    /** A Redis Cluster. */
    CLUSTER("redis-cluster", "rediss-cluster", 6379),
    /** Independent servers, of which a majority decides. */
    REDLOCK("redlock", "redlocks", 6379);

    private final String plain;
    private final String tls;
    private final int port;

    Topology(String plain, String tls, int port) {
        this.plain = plain;
        this.tls = tls;
        this.port = port;
    }

    static Map<String, Integer> schemes() {
        Map<String, Integer> schemes = new TreeMap<>();
        for (Topology topology : values()) {
            schemes.put(topology.plain, topology.port);
            schemes.put(topology.tls, topology.port);
        }
        return schemes;
    }

    static Topology of(String scheme) {
        for (Topology topology : values()) {
            if (topology.plain.equals(scheme) || topology.tls.equals(scheme)) {
                return topology;
            }
        }
        throw new IllegalArgumentException("not a scheme of Redis: " + scheme);
    }

    boolean isTls(String scheme) {
        return tls.equals(scheme);
    }
}
