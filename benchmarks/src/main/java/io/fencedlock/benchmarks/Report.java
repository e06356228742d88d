package io.fencedlock.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes results as JSON and as Markdown tables. */
final class Report {

    private static final String MARKDOWN_HEAD = """
            | workload | backend | subject | p50 µs | p99 µs | ops/s | ± | requests/op | × floor | |
            | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private Report() {}

    static String json(Surroundings surroundings, List<Result> results) {
        return results.stream()
                .map(Report::json)
                .collect(Collectors.joining(",\n  ", "{" + surroundings.json() + ",\n\"results\":[\n  ", "\n]}\n"));
    }

    private static String json(Result row) {
        return String.format(
                Locale.ROOT,
                """
            {"workload":"%s","backend":"%s","subject":"%s","p50us":%.1f,"p99us":%.1f,"opsPerSecond":%.1f,\
            "spread":%.3f,"serverRequestsPerOp":%.2f,"ratioToFloor":%s,"measures":{%s},"note":"%s"}""",
                row.workload(),
                row.backend(),
                row.subject(),
                row.p50us(),
                row.p99us(),
                row.opsPerSecond(),
                row.spread(),
                row.serverRequestsPerOp(),
                row.ratioToFloor()
                        .filter(Double::isFinite)
                        .map(r -> String.format(Locale.ROOT, "%.3f", r))
                        .orElse("null"),
                row.measures().entrySet().stream()
                        .map(m -> String.format(Locale.ROOT, "\"%s\":%.1f", m.getKey(), m.getValue()))
                        .collect(Collectors.joining(",")),
                row.note());
    }

    /** What else was measured, and what was seen, in one cell. */
    private static String more(Result row) {
        Stream<String> measured = row.measures().entrySet().stream().map(m -> m.getKey() + " " + number(m.getValue()));
        return Stream.concat(measured, Stream.of(row.note()).filter(note -> !note.isEmpty()))
                .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.1f" : "%.0f", value);
    }

    static String meanings(List<Workload> workloads) {
        return workloads.stream()
                .map(workload -> "- " + workload.name() + ": " + workload.meaning() + "\n")
                .collect(Collectors.joining());
    }

    static String markdown(List<Result> results) {
        StringBuilder text = new StringBuilder(MARKDOWN_HEAD);
        for (Result row : results) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s | %s | %.0f%% | %.2f | %s | %s |%n",
                    row.workload(),
                    row.backend(),
                    row.subject(),
                    number(row.p50us()),
                    number(row.p99us()),
                    number(row.opsPerSecond()),
                    100 * row.spread(),
                    row.serverRequestsPerOp(),
                    row.ratioToFloor()
                            .map(r -> String.format(Locale.ROOT, "%.2f", r))
                            .orElse(""),
                    more(row)));
        }
        return text.toString();
    }
}
