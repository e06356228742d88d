package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.util.Map;

/** Something to do with every subject, a round each in turn. */
interface Workload {

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

    /** The workloads by name, in order. */
    static Map<String, Workload> all(Scale scale) {
        Map<String, Workload> all = new java.util.LinkedHashMap<>();
        add(all, new Cycles("W1-same", 1, false, scale));
        add(all, new Cycles("W1-fresh", 1, true, scale));
        add(all, new Cycles("W2-16", 16, true, scale));
        add(all, new Cycles("W2-64", 64, true, scale));
        for (int waiters : new int[] {2, 8, 32}) {
            add(all, new HandOver("W3-" + waiters, waiters, scale));
        }
        add(all, new LongHolder(scale));
        return all;
    }

    private static void add(Map<String, Workload> all, Workload workload) {
        all.put(workload.name(), workload);
    }
}
