package io.fencedlock.benchmarks;

import io.fencedlock.servers.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code benchmarks/run}. */
@Command(
        name = "benchmarks/run",
        mixinStandardHelpOptions = true,
        description =
                "Measures fencedlock, its peers and the raw drivers side by side, round by round, on real servers. Exits with 1 if something of fencedlock could not be measured; what others could not do is told.")
final class Main implements Callable<Integer> {

    private static final List<Store> STORES = List.of(Store.values());

    @Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Option(names = "--quick", description = "Short rounds, under 5 minutes (default).")
    private boolean quick;

    @Option(names = "--full", description = "Long rounds, about three quarters of an hour.")
    private boolean full;

    @Option(
            names = "--on",
            split = ",",
            description =
                    "Stores: redis, zookeeper, etcd; for W7 also postgresql, mariadb (default: all). What brings its own servers, or needs none, is chosen by --workloads alone.")
    private List<String> stores = List.of();

    @Option(names = "--workloads", split = ",", description = "Workloads or their beginnings: W1,W3-8 (default: all).")
    private List<String> workloads = List.of();

    @Option(names = "--json", description = "File for the results as JSON.")
    private @Nullable Path json;

    @Option(names = "--write", description = "File for docs/performance.md.")
    private @Nullable Path page;

    private final List<String> arguments;

    private Main(List<String> arguments) {
        this.arguments = arguments;
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main(List.of(args))).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        LogManager.getLogManager().reset(); // drivers tell of what is done to servers on purpose
        Scale scale = full ? Scale.FULL : Scale.QUICK;
        if (quick && full) {
            throw wrong("--quick and --full exclude each other");
        }
        List<Workload> chosen = chosen(Workload.all(scale));
        Bench bench = new Bench(scale, line -> System.err.println(line));
        List<Store> on = chosenStores();
        List<Result> results = new ArrayList<>();
        try (Awake awake = Awake.keep()) {
            for (Store store : on) {
                results.addAll(bench.run(store, chosen));
                write(bench, awake, results, chosen); // whatever happens later, this is not lost
            }
            results.addAll(bench.alone(chosen));
            write(bench, awake, results, chosen);
        }
        System.out.print(Report.markdown(results) + Report.meanings(chosen) + "\n" + Bars.markdown(results));
        bench.failures().forEach(failure -> System.err.println("not measured: " + failure));
        return bench.isComplete() ? 0 : 1;
    }

    private void write(Bench bench, Awake awake, List<Result> results, List<Workload> chosen) throws IOException {
        Surroundings surroundings = Surroundings.of(arguments, bench.servers(), awake);
        if (json != null) {
            Files.writeString(json, Report.json(surroundings, results));
        }
        if (page != null) {
            Files.writeString(page, PerformancePage.markdown(surroundings, results, chosen, bench.failures()));
        }
    }

    private List<Workload> chosen(Map<String, Workload> all) {
        for (String asked : workloads) {
            if (all.keySet().stream().noneMatch(name -> name.startsWith(asked))) {
                throw wrong("--workloads takes " + String.join(", ", all.keySet()) + " or their beginnings, found "
                        + asked);
            }
        }
        return all.values().stream()
                .filter(w -> workloads.isEmpty() || workloads.stream().anyMatch(w.name()::startsWith))
                .toList();
    }

    private List<Store> chosenStores() {
        List<String> known = STORES.stream().map(Store::scheme).toList();
        stores.forEach(asked -> {
            if (!known.contains(asked.toLowerCase(Locale.ROOT))) {
                throw wrong("--on takes " + String.join(", ", known) + ", found " + asked);
            }
        });
        return STORES.stream()
                .filter(store -> stores.isEmpty() || stores.contains(store.scheme()))
                .toList();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(java.util.Objects.requireNonNull(spec).commandLine(), message);
    }
}
