package io.fencedlock.benchmarks;

import java.util.Map;
import java.util.Optional;

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
