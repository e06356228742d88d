package io.fencedlock.torture;

import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Runs processes that contend for locks and write through a fence, while servers, processes and connections are broken under them. The resource
 * that they write to is in this process, which no fault reaches. Every event is checked by a
 * {@link io.fencedlock.compliance.history.HistoryChecker}, phase by phase: faults, healing, and a last hold of each lock. Stateless; runs
 * do not disturb each other.
 */
public final class Torture {
    private static final Map<String, IntFunction<Arena>> BACKENDS = new TreeMap<>(Map.of(
            "redis", workers -> Arena.single(Store.REDIS, workers),
            "redis-sentinel", workers -> Arena.cluster(Topology.REDIS_SENTINEL, workers),
            "redis-cluster", workers -> Arena.cluster(Topology.REDIS_CLUSTER, workers),
            "redlock", workers -> Arena.cluster(Topology.REDLOCK, workers),
            "etcd", workers -> Arena.single(Store.ETCD, workers),
            "etcd-3", workers -> Arena.cluster(Topology.ETCD_3, workers),
            "zookeeper", workers -> Arena.single(Store.ZOOKEEPER, workers),
            "zookeeper-3", workers -> Arena.cluster(Topology.ZOOKEEPER_3, workers)));

    private Torture() {}

    /**
     * What can be tortured on servers that are started for it.
     *
     * @return the names for a plan
     */
    public static List<String> backends() {
        return List.copyOf(BACKENDS.keySet());
    }

    /**
     * The faults that there are.
     *
     * @return names for a plan, each with a sentence, in the order of what they break
     */
    public static List<Map.Entry<String, String>> faults() {
        return Nemeses.ALL.stream()
                .map(nemesis -> Map.entry(nemesis.name(), nemesis.summary()))
                .toList();
    }

    /**
     * Carries out a plan; takes its time and some seconds more. Starts servers and workers, and ends them, whatever happens.
     *
     * @param plan the plan
     * @param progress hears of it
     * @return how it ended
     * @throws InterruptedException if interrupted
     * @throws IllegalArgumentException if the backend or a fault is not known, or the fault cannot be caused there
     * @throws io.fencedlock.servers.ServerUnavailableException if the servers cannot be had
     * @throws io.fencedlock.BackendUnavailableException if the store at the URL is not reached within some seconds
     * @throws io.fencedlock.LockConfigurationException if the URL or the source of tokens is wrong
     * @throws IllegalStateException if the servers do not come back from a fault, or a worker ends by itself
     */
    public static Summary run(Plan plan, Progress progress) throws InterruptedException {
        plan.faults().forEach(Nemeses::named);
        if (plan.url().filter(url -> url.startsWith("memory:")).isPresent()) {
            throw new IllegalArgumentException("memory: cannot be shared by processes");
        }
        try (Arena arena = open(plan)) {
            return new Play(plan, arena, Nemeses.chosen(plan.faults(), arena), progress).run();
        }
    }

    private static Arena open(Plan plan) {
        if (plan.url().isPresent()) {
            return Arena.at(plan.url().get(), plan.serverFaults());
        }
        return open(plan.backend(), plan.workers());
    }

    static Arena open(String backend, int workers) {
        IntFunction<Arena> opening = BACKENDS.get(backend);
        if (opening == null) {
            throw new IllegalArgumentException(
                    "there is no backend \"" + backend + "\"; there are " + String.join(", ", BACKENDS.keySet()));
        }
        return opening.apply(workers);
    }

    /**
     * The backends with a node that leads, for {@link #succession}.
     *
     * @return some of {@link #backends()}
     */
    public static List<String> withLeaders() {
        return List.of("redis-sentinel", "redis-cluster", "etcd-3", "zookeeper-3");
    }

    /**
     * Kills the holder of a lock and the node that leads at the same time, again and again, and measures how long a waiter waits; takes some
     * 15 seconds for each time. Starts servers and holders, and ends them, whatever happens.
     *
     * @param backend a word of {@link #withLeaders()}
     * @param tries how often, at least once
     * @param lease the lease time, raised to what the backend takes
     * @param seed decides how long each holder holds before
     * @param each hears of each time
     * @return all times
     * @throws InterruptedException if interrupted
     * @throws IllegalArgumentException if the backend has no leader, or there are no tries
     * @throws io.fencedlock.servers.ServerUnavailableException if the servers cannot be had
     * @throws IllegalStateException if the servers do not come back, or the waiter does not get the lock within a minute
     */
    public static Succession succession(
            String backend, int tries, Duration lease, long seed, Consumer<Succession.Try> each)
            throws InterruptedException {
        if (!withLeaders().contains(backend)) {
            throw new IllegalArgumentException(
                    "a leader can be killed on " + String.join(", ", withLeaders()) + ", found \"" + backend + "\"");
        }
        if (tries < 1) {
            throw new IllegalArgumentException("at least one try is needed, found " + tries);
        }
        try (Arena arena = open(backend, 1)) {
            Duration time = Play.rounded(lease, arena.profile("default"));
            return new Succession(
                    backend, arena.place(), time, seed, new Heirs(backend, arena, time, seed).watch(tries, each));
        }
    }
}
