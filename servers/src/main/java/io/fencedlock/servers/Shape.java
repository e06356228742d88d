package io.fencedlock.servers;

import java.util.List;

/** What makes single servers one cluster. */
interface Shape {
    /** Starts the nodes and makes them one. Returns when all has been said to them, not when they have agreed. */
    void form();

    /** Where clients connect: the nodes, or those who know the nodes. */
    default List<OwnServer> entrances() {
        return nodes();
    }

    List<OwnServer> nodes();

    /** Ports of a node at which only other nodes connect. */
    default List<Integer> peerPorts(OwnServer node) {
        return List.of();
    }

    /** Those that watch the nodes and hold no data. */
    default List<OwnServer> sentinels() {
        return List.of();
    }

    /** Whether every node is up and all agree who leads. */
    boolean isWhole();

    /** How a node stands among the others, in its own words; for messages. */
    default String standing(OwnServer node) {
        return node.answers() ? "answers" : "does not answer";
    }

    /** The nodes that lead now; those of which nobody knows are left out. */
    List<OwnServer> leaders();

    static Shape of(Topology topology, Members members) {
        return switch (topology) {
            case REDIS_SENTINEL -> new SentinelShape(members);
            case REDIS_CLUSTER -> new RedisClusterShape(members);
            case REDLOCK -> new RedlockShape(members);
            case ETCD_3 -> QuorumShape.etcd(members);
            case ZOOKEEPER_3 -> QuorumShape.zooKeeper(members);
        };
    }
}
