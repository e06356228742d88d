package io.fencedlock.benchmarks;

import io.fencedlock.servers.Store;

/** The numbers of the cost model in docs/performance.md: requests, as the server counts them. */
final class CostModel {

    private CostModel() {}

    /** Acquire and release without contention. ZooKeeper: the creation with its list, and the deletion. */
    static double cycle(Store store) {
        return store == Store.ZOOKEEPER ? 3 : 2;
    }

    /** What a client asks in a second to keep its session, however many leases it holds: a renewal and a look at what lives on it. */
    static double upkeep(Store store, double third, double quarter) {
        return switch (store) {
            case ZOOKEEPER -> 2 * quarter;
            case ETCD -> 2 * third;
            default -> 0;
        };
    }

    /** What a waiter asks in a second while nothing changes. */
    static double recheck(Store store) {
        return store == Store.ETCD ? 2.0 / 3 : 1;
    }

    /** A release and the next grant. */
    static double handOver(Store store) {
        return store == Store.ZOOKEEPER ? 4 : 3;
    }
}
