package io.fencedlock.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What the rounds of one subject have shown so far. Not thread-safe: threads of a round keep their own histograms and are added up. */
final class Sample {

    private final Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
    private final List<Double> rates = new ArrayList<>();
    private long operations;
    private long requests;
    private final Map<String, List<Double>> measures = new LinkedHashMap<>();
    private String note = "";

    /** Adds a round. */
    void round(Histogram ofRound, long count, long nanos, long serverRequests) {
        latencies.add(ofRound);
        rates.add(count * 1e9 / nanos);
        operations += count;
        requests += serverRequests;
    }

    /** Adds another measurement of a round. */
    void measure(String name, double value) {
        measures.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    void note(String words) {
        note = words;
    }

    Result result(String workload, String backend, String subject) {
        double median = median(rates);
        double spread = median == 0 ? 0 : (Collections.max(rates) - Collections.min(rates)) / 2 / median;
        Map<String, Double> medians = new LinkedHashMap<>();
        measures.forEach((name, values) -> medians.put(name, median(values)));
        return new Result(
                workload,
                backend,
                subject,
                latencies.getValueAtPercentile(50) / 1e3,
                latencies.getValueAtPercentile(99) / 1e3,
                median,
                spread,
                operations == 0 ? 0 : (double) requests / operations,
                Optional.empty(),
                medians,
                note);
    }

    static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
    }
}
