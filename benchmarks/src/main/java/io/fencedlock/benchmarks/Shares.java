package io.fencedlock.benchmarks;

import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;

/**
 * How a lock was shared among those who wanted it.
 *
 * @param most the acquisitions of the one who had the most
 * @param least of the one who had the fewest
 */
record Shares(long most, long least) {

    static Shares of(LongStream acquisitions) {
        LongSummaryStatistics all = acquisitions.summaryStatistics();
        return new Shares(all.getMax(), all.getMin());
    }

    void into(Sample sample) {
        sample.measure("most acquisitions", (double) most);
        sample.measure("least acquisitions", (double) least);
    }
}
