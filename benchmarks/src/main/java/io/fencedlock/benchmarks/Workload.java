package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Something to do with every subject, a round each in turn. */
interface Workload {

    /** Where locks are. */
    Set<Store> LOCKS = Set.of(Store.REDIS, Store.ZOOKEEPER, Store.ETCD);

    /** {@code W1-same}, … */
    String name();

    /** What its figures mean, in a sentence. */
    String meaning();

    /** Whether the subject can do it. */
    boolean suits(Subject subject);

    /** One round with an open client, adding what it shows to the sample. */
    void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception;

    /** Whether rows are compared by throughput; else by the median latency. */
    boolean comparesThroughput();

    /** Whether a round is long: then there is one of each subject by itself, and none to warm up. */
    default boolean isLong() {
        return false;
    }

    /** Whether it is run once, however often the others are. */
    default boolean isRunOnce() {
        return isLong();
    }

    /** Opens the client that its rounds are given. */
    default Subject.Client open(Server server, Subject subject) throws Exception {
        return subject.open(server);
    }

    /** Where it is run. */
    default Set<Store> stores() {
        return LOCKS;
    }

    /** What is measured side by side. */
    default List<Subject> subjects(Store store) {
        return Subject.on(store);
    }

    /** What it measures without a server. */
    default List<Result> alone() throws Exception {
        return List.of();
    }

    /** The workloads by name, in order. */
    static Map<String, Workload> all(Scale scale) {
        Map<String, Workload> all = new java.util.LinkedHashMap<>();
        add(all, new Cycles("W1-same", Crew.platform(1), false, scale));
        add(all, new Cycles("W1-fresh", Crew.platform(1), true, scale));
        for (int threads : scale.threads()) {
            add(all, new Cycles("W2-" + threads, Crew.platform(threads), true, scale));
        }
        Crew.virtual(64).ifPresent(crew -> add(all, new Cycles("W2-64-virtual", crew, true, scale)));
        for (int waiters : scale.waiters()) {
            add(all, new HandOver("W3-" + waiters, waiters, scale));
        }
        for (int processes : scale.processes()) {
            add(all, new ProcessHandOver(processes, scale));
        }
        add(all, new LongHolder(scale));
        add(all, new Holding(scale));
        add(all, new UsedOnce(scale));
        add(all, new FencedWrites(scale));
        add(all, new Burst(scale));
        add(all, new EnginePasses(scale));
        add(all, new StartUp(scale));
        add(all, new Spread(scale));
        Cost.all(scale).forEach(cost -> add(all, cost));
        return all;
    }

    private static void add(Map<String, Workload> all, Workload workload) {
        all.put(workload.name(), workload);
    }
}
