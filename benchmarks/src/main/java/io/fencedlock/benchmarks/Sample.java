package io.fencedlock.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What the rounds of one subject have shown so far. Not thread-safe: threads of a round keep their own histograms and are added up. */
final class Sample {

    private final Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
    private final List<Double> rates = new ArrayList<>();
    private long operations;
    private long requests;
    private String note = "";

    /** Adds a round. */
    void round(Histogram ofRound, long count, long nanos, long serverRequests) {
        latencies.add(ofRound);
        rates.add(count * 1e9 / nanos);
        operations += count;
        requests += serverRequests;
    }

    void note(String words) {
        note = words;
    }

    Result result(String workload, String backend, String subject) {
        List<Double> sorted = new ArrayList<>(rates);
        Collections.sort(sorted);
        double median = sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
        double spread = median == 0 ? 0 : (sorted.get(sorted.size() - 1) - sorted.get(0)) / 2 / median;
        return new Result(
                workload,
                backend,
                subject,
                latencies.getValueAtPercentile(50) / 1e3,
                latencies.getValueAtPercentile(99) / 1e3,
                median,
                spread,
                operations == 0 ? 0 : (double) requests / operations,
                java.util.Optional.empty(),
                note);
    }
}
