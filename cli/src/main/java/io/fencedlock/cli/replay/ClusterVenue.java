package io.fencedlock.cli.replay;

import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import io.fencedlock.verify.ServerTarget;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A throw-away cluster, and workers that are processes. */
final class ClusterVenue implements Venue {
    /** A failover takes seconds, and the holder's lease is to outlast it. ZooKeeper gives no longer session. */
    private static final Duration LEASE = Duration.ofSeconds(10);
    /** Sentinels take longer, and nobody renews. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(30);

    private final Store store;
    private final Cluster cluster;
    private final String place;
    private final Crew crew;
    private final ClusterFaults faults;

    ClusterVenue(Store store, Staging staging, Needs needs) throws InterruptedException {
        this.store = store;
        cluster = needs == Needs.REDLOCK ? ServerTarget.cluster(Topology.REDLOCK) : Cluster.start(topology(store));
        faults = new ClusterFaults(cluster);
        boolean open = false;
        try {
            place = store.scheme() + " " + cluster.nodes().get(0).version() + nodes(cluster.topology());
            crew = new Crew(
                    cluster.url(),
                    cluster.url(),
                    staging.tokens(),
                    store == Store.REDIS ? LONG_LEASE : LEASE,
                    staging.database().map(Supplier::get));
            open = true;
        } finally {
            if (!open) {
                cluster.close();
            }
        }
    }

    private static String nodes(Topology topology) {
        return switch (topology) {
            case REDIS_SENTINEL -> ", a primary with two replicas and Sentinels";
            case REDLOCK -> ", five independent nodes";
            default -> ", three nodes";
        };
    }

    private static Topology topology(Store store) {
        return switch (store) {
            case ZOOKEEPER -> Topology.ZOOKEEPER_3;
            case ETCD -> Topology.ETCD_3;
            default -> Topology.REDIS_SENTINEL;
        };
    }

    @Override
    public String backend() {
        return store.scheme();
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public Cast cast() {
        return crew.cast();
    }

    @Override
    public void dismiss() {
        crew.close();
    }

    @Override
    public String subject(int run) {
        return "invoice-" + (1040 + run);
    }

    @Override
    public Optional<String> lacks(Needs needs) {
        return Optional.empty();
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Optional<String> database() {
        return crew.database();
    }

    @Override
    public boolean startsCold() {
        return true;
    }

    @Override
    public void close() {
        crew.close();
        cluster.close();
    }
}
