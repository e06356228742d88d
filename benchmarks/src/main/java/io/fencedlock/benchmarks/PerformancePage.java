package io.fencedlock.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes docs/performance.md: the words are resources, the figures are those just measured. */
final class PerformancePage {

    private static final String COSTS_HEAD = """
            | | store | requests counted | by the model | bytes to the server | bytes from it |
            | --- | --- | ---: | ---: | ---: | ---: |
            """;

    private static final String NODES_HEAD = """
            | store | nodes | ops/s here | µs of CPU per op on the busiest node | on all nodes | the busiest node's core carries, ops/s |
            | --- | ---: | ---: | ---: | ---: | ---: |
            """;

    private PerformancePage() {}

    static String markdown(
            Surroundings surroundings, List<Result> results, List<Workload> workloads, List<String> failures)
            throws IOException {
        List<Result> measured =
                results.stream().filter(row -> !isCost(row.workload())).toList();
        List<Workload> explained =
                workloads.stream().filter(workload -> !isCost(workload.name())).toList();
        return words("performance.md")
                .replace("@surroundings@", surroundings.markdown())
                .replace("@bars@", Bars.markdown(results))
                .replace("@results@", Report.markdown(measured))
                .replace("@meanings@", Report.meanings(explained) + notMeasured(failures))
                .replace("@costs@", costs(results))
                .replace("@nodes@", nodes(results));
    }

    private static String notMeasured(List<String> failures) {
        return failures.isEmpty()
                ? ""
                : failures.stream()
                        .collect(Collectors.joining("\n- ", "\nNot measured, with what was thrown:\n\n- ", "\n"));
    }

    private static String words(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(PerformancePage.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static boolean isCost(String workload) {
        return workload.startsWith("cost-");
    }

    private static String costs(List<Result> results) {
        return results.stream()
                .filter(row -> isCost(row.workload()))
                .map(PerformancePage::cost)
                .collect(Collectors.joining("", COSTS_HEAD, ""));
    }

    private static String cost(Result row) {
        return "| " + row.workload().substring(5) + " | " + row.backend() + " | " + measure(row, "requests", "%.2f")
                + " | " + measure(row, "model", "%.2f") + " | " + measure(row, "bytes to the server", "%.0f") + " | "
                + measure(row, "bytes from the server", "%.0f") + " |\n";
    }

    private static String nodes(List<Result> results) {
        return results.stream()
                .filter(row -> row.workload().equals(Spread.NAME))
                .map(PerformancePage::node)
                .collect(Collectors.joining("", NODES_HEAD, ""));
    }

    private static String node(Result row) {
        String[] parts = row.backend().split("-", 2);
        double busiest = row.measures().getOrDefault(Spread.BUSIEST, 0.0);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.0f | %.0f | %s | %s |%n",
                parts[0],
                parts.length == 1 ? "1" : parts[1],
                row.opsPerSecond(),
                busiest,
                measure(row, Spread.ALL, "%.0f"),
                busiest == 0 ? "" : String.format(Locale.ROOT, "%.0f", 1e6 / busiest));
    }

    private static String measure(Result row, String name, String format) {
        return Optional.ofNullable(row.measures().get(name))
                .map(value -> String.format(Locale.ROOT, format, value))
                .orElse("");
    }
}
