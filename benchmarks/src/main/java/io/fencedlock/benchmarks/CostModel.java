package io.fencedlock.benchmarks;

import io.fencedlock.servers.Store;
import java.time.Duration;

/** The numbers of the cost model in docs/performance.md: requests, as the server counts them. */
final class CostModel {

    private CostModel() {}

    /** Acquire and release without contention. On ZooKeeper the creation needs a list, too, where others contend in the stripe. */
    static double cycle() {
        return 2;
    }

    /**
     * What a client asks in a second to keep its session, however many leases it holds: a renewal and a look at what lives on it, four times
     * in a lease time on ZooKeeper, three times on etcd. ZooKeeper's driver adds a ping whenever it was idle for a third of its time less a second, and past
     * 2 000 leases the look comes in eleven pieces.
     */
    static double upkeep(Store store, Duration lease, int leases) {
        double leaseSeconds = lease.toMillis() / 1e3;
        int pings = leaseSeconds / 4 > leaseSeconds / 3 - 1 ? 1 : 0;
        int looks = leases > 2_000 ? 11 : 1;
        return switch (store) {
            case ZOOKEEPER -> (1 + looks + pings) * 4 / leaseSeconds;
            case ETCD -> 2 * 3 / leaseSeconds;
            default -> 0;
        };
    }

    /** What a waiter asks in a second while nothing changes. */
    static double recheck(Store store) {
        return store == Store.ETCD ? 2.0 / 3 : 1;
    }

    /** A release and the next grant, from the entering of a waiter on: on ZooKeeper creation, list, watch and deletion. */
    static double handOver(Store store) {
        return switch (store) {
            case REDIS -> 2;
            case ZOOKEEPER -> 4;
            default -> 3;
        };
    }
}
