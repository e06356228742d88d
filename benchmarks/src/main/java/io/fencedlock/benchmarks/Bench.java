package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs workloads on a store: every subject a round, then every subject the next one. */
final class Bench {

    private final Scale scale;
    private final Consumer<String> progress;
    private final Set<String> servers = new LinkedHashSet<>();
    private final List<String> failures = new ArrayList<>();
    private boolean complete = true;

    Bench(Scale scale, Consumer<String> progress) {
        this.scale = scale;
        this.progress = progress;
    }

    /** A subject with its client and what it has shown. */
    private record Runner(Subject subject, Subject.Client client, Sample sample) {}

    /** As most run it: Redis with an append-only file that is flushed once a second. */
    static ServerOptions options(Store store) {
        ServerOptions options = ServerOptions.defaults().throwAway();
        return store == Store.REDIS ? options.setting("appendfsync", "everysec") : options;
    }

    /** The stores measured so far, with their versions. */
    Set<String> servers() {
        return servers;
    }

    List<Result> run(Store store, List<Workload> workloads) throws Exception {
        List<Workload> here =
                workloads.stream().filter(w -> w.stores().contains(store)).toList();
        return here.isEmpty() ? List.of() : attempt(store.scheme(), true, () -> onServer(store, here));
    }

    private List<Result> onServer(Store store, List<Workload> workloads) throws Exception {
        List<Result> results = new ArrayList<>();
        try (Server server = Servers.start(store, options(store))) {
            servers.add(store.scheme() + " " + server.version());
            if (Workload.LOCKS.contains(store)) {
                for (Subject subject : Floors.andLocks(store)) {
                    attempt(
                            store.scheme() + " warm-up of " + subject.name(),
                            isOurs(subject),
                            () -> warmUp(server, subject));
                }
            }
            Map<Workload, List<List<Result>>> runs = new LinkedHashMap<>();
            for (int run = 1; run <= scale.runs(); run++) {
                String which = scale.runs() == 1 ? "" : ", run " + run + " of " + scale.runs();
                for (Workload workload : workloads) {
                    if (run == 1 || !workload.isRunOnce()) {
                        runs.computeIfAbsent(workload, none -> new ArrayList<>())
                                .add(attempt(
                                        store.scheme() + " " + workload.name() + (workload.isRunOnce() ? "" : which),
                                        true,
                                        () -> run(store, server, workload)));
                    }
                }
            }
            runs.forEach((workload, each) -> results.addAll(withRatios(workload, Result.medians(each))));
        }
        return results;
    }

    /** Runs what needs no store given, or brings its own. */
    List<Result> alone(List<Workload> workloads) throws Exception {
        List<Result> results = new ArrayList<>();
        for (Workload workload : workloads) {
            results.addAll(attempt(workload.name() + " by itself", true, workload::alone));
        }
        return results;
    }

    /** One workload that fails does not take the others' results away. */
    private List<Result> attempt(String what, boolean ours, Callable<List<Result>> workload)
            throws InterruptedException {
        long begun = System.nanoTime();
        try {
            List<Result> results = workload.call();
            if (!results.isEmpty()) {
                progress.accept(what + ": done in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + " s");
            }
            return results;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failed(what, ours, e);
            return List.of();
        }
    }

    private void failed(String what, boolean ours, Exception e) {
        complete &= !ours;
        failures.add(what + ": " + e);
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        progress.accept(what + " FAILED: " + trace);
    }

    /** What could not be measured, and why. */
    List<String> failures() {
        return failures;
    }

    /** Whether all of fencedlock was measured, whatever others could not do. */
    boolean isComplete() {
        return complete;
    }

    private static boolean isOurs(Subject subject) {
        return subject.name().equals(FencedLockSubject.NAME);
    }

    private List<Result> run(Store store, Server server, Workload workload) throws Exception {
        List<Subject> subjects =
                workload.subjects(store).stream().filter(workload::suits).toList();
        List<Result> rows = new ArrayList<>();
        if (workload.isLong()) {
            for (Subject subject : subjects) {
                String what = store.scheme() + " " + workload.name() + " of " + subject.name();
                rows.addAll(attempt(what, isOurs(subject), () -> run(store, server, workload, List.of(subject))));
            }
        } else {
            rows.addAll(run(store, server, workload, subjects));
        }
        return rows;
    }

    /** These side by side. One that fails is left out of this run; the others go on. */
    private List<Result> run(Store store, Server server, Workload workload, List<Subject> subjects) throws Exception {
        List<Runner> runners = new ArrayList<>();
        try {
            for (Subject subject : subjects) {
                runners.add(new Runner(subject, workload.open(server, subject), new Sample()));
            }
            // Those before the first do not count: classes are loaded and compiled.
            for (int round = workload.isLong() ? 0 : -scale.warmUps(); round < rounds(workload); round++) {
                for (Runner runner : List.copyOf(runners)) {
                    Sample sample = round < 0 ? new Sample() : runner.sample();
                    try {
                        workload.round(server, runner.subject(), runner.client(), sample);
                    } catch (InterruptedException e) {
                        throw e;
                    } catch (Exception e) {
                        failed(
                                store.scheme() + " " + workload.name() + " of "
                                        + runner.subject().name(),
                                isOurs(runner.subject()),
                                e);
                        runners.remove(runner);
                        runner.client().close();
                    }
                }
            }
        } finally {
            runners.forEach(runner -> runner.client().close());
        }
        return runners.stream()
                .map(runner -> runner.sample()
                        .result(
                                workload.name(),
                                store.scheme(),
                                runner.subject().name()))
                .toList();
    }

    private int rounds(Workload workload) {
        return workload.isLong() ? 1 : scale.rounds();
    }

    /** What is measured first must not be measured cold. */
    private List<Result> warmUp(Server server, Subject subject) throws Exception {
        Workload cycles = new Cycles("warm-up", Crew.platform(4), true, scale);
        try (Subject.Client client = subject.open(server)) {
            long end = System.nanoTime() + scale.warmUp().toNanos();
            while (System.nanoTime() < end) {
                cycles.round(server, subject, client, new Sample());
            }
        }
        return List.of();
    }

    static List<Result> withRatios(Workload workload, List<Result> rows) {
        return rows.stream()
                .filter(row -> row.subject().equals(Floors.RAW))
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
