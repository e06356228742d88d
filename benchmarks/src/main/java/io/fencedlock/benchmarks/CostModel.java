package io.fencedlock.benchmarks;

import io.fencedlock.servers.Store;
import java.time.Duration;

/** The numbers of the cost model in docs/performance.md: requests, as the server counts them. */
final class CostModel {

    private CostModel() {}

    /** Acquire and release without contention. ZooKeeper: the creation with its list, and the deletion. */
    static double cycle(Store store) {
        return store == Store.ZOOKEEPER ? 3 : 2;
    }

    /**
     * What a client asks in a second to keep its session, however many leases it holds: a renewal and a look at what lives on it, four times
     * in a lease time on ZooKeeper, three times on etcd. ZooKeeper's driver adds a ping whenever it was idle for a third of its time less a second.
     */
    static double upkeep(Store store, Duration lease) {
        double leaseSeconds = lease.toMillis() / 1e3;
        return switch (store) {
            case ZOOKEEPER -> (leaseSeconds / 4 > leaseSeconds / 3 - 1 ? 3 : 2) * 4 / leaseSeconds;
            case ETCD -> 2 * 3 / leaseSeconds;
            default -> 0;
        };
    }

    /** What a waiter asks in a second while nothing changes. */
    static double recheck(Store store) {
        return store == Store.ETCD ? 2.0 / 3 : 1;
    }

    /** A release and the next grant. Two more on ZooKeeper where the queue is long: a watch, and a list when the node before has gone. */
    static double handOver(Store store) {
        return switch (store) {
            case REDIS -> 2;
            case ZOOKEEPER -> 5;
            default -> 3;
        };
    }
}
