package io.fencedlock.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes results as JSON and as Markdown tables. */
final class Report {

    private static final String MARKDOWN_HEAD = """
            | workload | backend | subject | p50 µs | p99 µs | ops/s | ± | requests/op | × floor | |
            | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private Report() {}

    static String json(List<Result> results) {
        return results.stream().map(Report::json).collect(Collectors.joining(",\n  ", "{\"results\":[\n  ", "\n]}\n"));
    }

    private static String json(Result row) {
        return String.format(
                Locale.ROOT,
                """
            {"workload":"%s","backend":"%s","subject":"%s","p50us":%.1f,"p99us":%.1f,"opsPerSecond":%.1f,\
            "spread":%.3f,"serverRequestsPerOp":%.2f,"ratioToFloor":%s,"note":"%s"}""",
                row.workload(),
                row.backend(),
                row.subject(),
                row.p50us(),
                row.p99us(),
                row.opsPerSecond(),
                row.spread(),
                row.serverRequestsPerOp(),
                row.ratioToFloor()
                        .map(r -> String.format(Locale.ROOT, "%.3f", r))
                        .orElse("null"),
                row.note());
    }

    static String markdown(List<Result> results) {
        StringBuilder text = new StringBuilder(MARKDOWN_HEAD);
        for (Result row : results) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %.0f | %.0f | %.0f | %.0f%% | %.2f | %s | %s |%n",
                    row.workload(),
                    row.backend(),
                    row.subject(),
                    row.p50us(),
                    row.p99us(),
                    row.opsPerSecond(),
                    100 * row.spread(),
                    row.serverRequestsPerOp(),
                    row.ratioToFloor()
                            .map(r -> String.format(Locale.ROOT, "%.2f", r))
                            .orElse(""),
                    row.note()));
        }
        return text.toString();
    }
}
