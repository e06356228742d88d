package io.fencedlock.torture;

import io.fencedlock.servers.Server;
import java.util.List;

/** Looks into a store past the library, and takes from it what the library relies on. Blocks; the store has to be well. */
interface StoreAdmin {

    /** How many entries of locks, waiters and sessions there are. */
    long entries();

    /** Deletes what tokens are made from: the counters, or the base. */
    void loseCounter();

    /** Hands leadership over in order. */
    void failOver(Arena arena) throws InterruptedException;

    static StoreAdmin of(List<Server> nodes) {
        return switch (nodes.get(0).store()) {
            case REDIS -> new RedisAdmin(nodes);
            case ETCD -> new EtcdAdmin(nodes);
            case ZOOKEEPER -> new ZooKeeperAdmin(nodes);
            case POSTGRESQL, MARIADB -> throw new IllegalArgumentException("no locks in " + nodes.get(0));
        };
    }
}
