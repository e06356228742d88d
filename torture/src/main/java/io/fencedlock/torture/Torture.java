package io.fencedlock.torture;

import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
            List<Nemesis> nemeses = Nemeses.chosen(plan.faults(), arena);
            return new Play(plan, arena, nemeses, progress).run();
        }
    }

    private static Arena open(Plan plan) {
        if (plan.url().isPresent()) {
            return Arena.at(plan.url().get(), plan.serverFaults());
        }
        IntFunction<Arena> opening = BACKENDS.get(plan.backend());
        if (opening == null) {
            throw new IllegalArgumentException("there is no backend \"" + plan.backend() + "\"; there are "
                    + String.join(", ", BACKENDS.keySet()));
        }
        return opening.apply(plan.workers());
    }
}
