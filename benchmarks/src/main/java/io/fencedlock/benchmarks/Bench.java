package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Runs workloads on a store: every subject a round, then every subject the next one. */
final class Bench {

    private final Scale scale;
    private final Consumer<String> progress;
    private final Set<String> servers = new LinkedHashSet<>();

    Bench(Scale scale, Consumer<String> progress) {
        this.scale = scale;
        this.progress = progress;
    }

    /** A subject with its client and what it has shown. */
    private record Runner(Subject subject, Subject.Client client, Sample sample) {}

    /** As most run it: Redis with an append-only file that is flushed once a second. */
    private static ServerOptions options(Store store) {
        ServerOptions options = ServerOptions.defaults().throwAway();
        return store == Store.REDIS ? options.setting("appendfsync", "everysec") : options;
    }

    /** The stores measured so far, with their versions. */
    Set<String> servers() {
        return servers;
    }

    List<Result> run(Store store, List<Workload> workloads) throws Exception {
        List<Result> results = new ArrayList<>();
        List<Workload> here =
                workloads.stream().filter(w -> w.stores().contains(store)).toList();
        if (here.isEmpty()) {
            return results;
        }
        try (Server server = Servers.start(store, options(store))) {
            servers.add(store.scheme() + " " + server.version());
            for (Workload workload : here) {
                results.addAll(run(store, server, workload));
            }
        }
        return results;
    }

    private List<Result> run(Store store, Server server, Workload workload) throws Exception {
        List<Runner> runners = new ArrayList<>();
        try {
            for (Subject subject : workload.subjects(store)) {
                if (workload.suits(subject)) {
                    Runner runner = new Runner(subject, subject.open(server), new Sample());
                    runners.add(runner);
                    if (!workload.isLong()) {
                        // Twice a round that does not count: classes are loaded and compiled.
                        workload.round(server, subject, runner.client(), new Sample());
                        workload.round(server, subject, runner.client(), new Sample());
                    }
                }
            }
            int rounds = workload.isLong() ? 1 : scale.rounds();
            for (int round = 1; round <= rounds; round++) {
                progress.accept(store.scheme() + " " + workload.name() + ": round " + round + " of " + rounds);
                for (Runner runner : runners) {
                    workload.round(server, runner.subject(), runner.client(), runner.sample());
                }
            }
        } finally {
            runners.forEach(runner -> runner.client().close());
        }
        List<Result> rows = new ArrayList<>();
        runners.forEach(runner -> rows.add(runner.sample()
                .result(workload.name(), store.scheme(), runner.subject().name())));
        return withRatios(workload, rows);
    }

    private static List<Result> withRatios(Workload workload, List<Result> rows) {
        return rows.stream()
                .filter(row -> row.subject().equals("raw"))
                .findFirst()
                .map(floor -> rows.stream()
                        .map(row -> row.withRatio(
                                workload.comparesThroughput()
                                        ? floor.opsPerSecond() / row.opsPerSecond()
                                        : row.p50us() / floor.p50us()))
                        .toList())
                .orElse(rows);
    }
}
