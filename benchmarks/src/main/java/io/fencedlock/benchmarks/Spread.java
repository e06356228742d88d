package io.fencedlock.benchmarks;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One node beside several: a Redis Cluster, over which names are spread, and ensembles, in which every member has all of them. */
final class Spread implements OwnSetting {

    static final String NAME = "nodes";
    /** The names of measures. */
    static final String BUSIEST = "µs of CPU per op on the busiest node";

    static final String ALL = "µs of CPU per op on all nodes";

    private static final int BURST = 500;

    private final AtomicLong names = new AtomicLong();
    private final Scale scale;

    Spread(Scale scale) {
        this.scale = scale;
    }

    /** A store, however many nodes it has. */
    private record Carrier(String name, List<Server> nodes, FencedLocks locks, Sample sample) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "one client acquires and releases " + BURST
                + " names at once, never used before, on one node and on three: primaries of a Redis Cluster"
                + " (its replicas are stopped, as they would share the machine), members of an ensemble; CPU that the nodes use per operation";
    }

    @Override
    public boolean comparesThroughput() {
        return true;
    }

    @Override
    public List<Result> alone() throws Exception {
        List<Result> results = new ArrayList<>();
        for (Topology topology : List.of(Topology.REDIS_CLUSTER, Topology.ZOOKEEPER_3, Topology.ETCD_3)) {
            results.addAll(compare(topology));
        }
        return results;
    }

    private List<Result> compare(Topology topology) throws Exception {
        Store store = topology.store();
        ServerOptions options = Bench.options(store);
        try (Server one = Servers.start(store, options);
                Cluster cluster = Cluster.start(topology, options);
                FencedLocks onOne = FencedLocks.connect(one.url());
                FencedLocks onSeveral = FencedLocks.connect(cluster.url())) {
            List<Server> nodes = topology == Topology.REDIS_CLUSTER ? primariesAlone(cluster) : cluster.nodes();
            List<Carrier> carriers = List.of(
                    new Carrier(store.scheme(), List.of(one), onOne, new Sample()),
                    new Carrier(store.scheme() + "-" + nodes.size(), nodes, onSeveral, new Sample()));
            for (int i = -scale.warmUps(); i < scale.rounds(); i++) {
                for (Carrier carrier : carriers) {
                    round(carrier, i < 0 ? new Sample() : carrier.sample());
                }
            }
            return carriers.stream()
                    .map(carrier -> carrier.sample().result(name(), carrier.name(), FencedLockSubject.NAME))
                    .toList();
        }
    }

    private static List<Server> primariesAlone(Cluster cluster) {
        List<Server> primaries = cluster.leaders();
        cluster.nodes().stream().filter(node -> !primaries.contains(node)).forEach(Server::kill);
        return primaries;
    }

    private void burst(FencedLocks locks, Histogram latencies) throws Exception {
        List<CompletableFuture<Release>> all = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            long from = System.nanoTime();
            all.add(locks.get("spread-" + names.incrementAndGet())
                    .acquireAsync()
                    .thenCompose(Lease::releaseAsync)
                    .whenComplete((released, failed) -> latencies.recordValue(System.nanoTime() - from)));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(1, TimeUnit.MINUTES);
    }

    private static List<Double> cpu(Carrier carrier) {
        return carrier.nodes().stream()
                .map(node -> ServerCpu.micros(node).orElse(0.0))
                .toList();
    }

    private static long requests(Carrier carrier) {
        return carrier.nodes().stream().mapToLong(ServerCounter::read).sum();
    }

    private void round(Carrier carrier, Sample sample) throws Exception {
        Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), 3);
        List<Double> cpuBefore = cpu(carrier);
        long requests = requests(carrier);
        long begun = System.nanoTime();
        long end = begun + scale.round().toNanos();
        while (System.nanoTime() < end) {
            burst(carrier.locks(), latencies);
        }
        long nanos = System.nanoTime() - begun;
        long count = latencies.getTotalCount();
        List<Double> cpuAfter = cpu(carrier);
        double[] used = IntStream.range(0, cpuAfter.size())
                .mapToDouble(i -> (cpuAfter.get(i) - cpuBefore.get(i)) / count)
                .toArray();
        sample.round(latencies, count, nanos, requests(carrier) - requests);
        sample.measure(BUSIEST, DoubleStream.of(used).max().orElse(0));
        sample.measure(ALL, DoubleStream.of(used).sum());
    }
}
