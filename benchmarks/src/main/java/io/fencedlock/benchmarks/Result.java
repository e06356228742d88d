package io.fencedlock.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row: a workload, a store, a subject.
 *
 * @param workload {@code W1-same}, …
 * @param backend {@code redis}, …
 * @param subject {@code fencedlock}, {@code raw} for the floor, or a peer's name
 * @param p50us median latency in microseconds
 * @param p99us 99th percentile in microseconds
 * @param opsPerSecond operations per second: the median of the rounds
 * @param spread half the difference between the fastest and the slowest round, as a share of the median
 * @param serverRequestsPerOp requests that the server counted, per operation
 * @param ratioToFloor median latency over the floor's, or the floor's throughput over this; empty without a floor
 * @param measures what else was measured: a name with its unit, and the median of the rounds
 * @param note what else was seen, in words
 */
record Result(
        String workload,
        String backend,
        String subject,
        double p50us,
        double p99us,
        double opsPerSecond,
        double spread,
        double serverRequestsPerOp,
        Optional<Double> ratioToFloor,
        Map<String, Double> measures,
        String note) {

    /** The median of each figure, for what was measured in several runs; ratios are left to be made. */
    static List<Result> medians(List<List<Result>> runs) {
        Map<String, List<Result>> bySubject = new LinkedHashMap<>();
        runs.forEach(run -> run.forEach(row -> bySubject
                .computeIfAbsent(row.subject, none -> new ArrayList<>())
                .add(row)));
        return bySubject.values().stream().map(Result::median).toList();
    }

    private static Result median(List<Result> rows) {
        Result first = rows.get(0);
        Map<String, Double> measures = new LinkedHashMap<>();
        first.measures.keySet().forEach(name -> measures.put(name, median(rows, row -> row.measures.get(name))));
        return new Result(
                first.workload,
                first.backend,
                first.subject,
                median(rows, Result::p50us),
                median(rows, Result::p99us),
                median(rows, Result::opsPerSecond),
                median(rows, Result::spread),
                median(rows, Result::serverRequestsPerOp),
                Optional.empty(),
                measures,
                first.note);
    }

    private static double median(List<Result> rows, Function<Result, @Nullable Double> figure) {
        return Sample.median(rows.stream().map(figure).filter(Objects::nonNull).toList());
    }

    Result withRatio(double ratio) {
        return new Result(
                workload,
                backend,
                subject,
                p50us,
                p99us,
                opsPerSecond,
                spread,
                serverRequestsPerOp,
                Optional.of(ratio),
                measures,
                note);
    }
}
