package io.fencedlock.benchmarks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.consumer.RecordingStream;

/** Counts how often a virtual thread blocked its carrier, as the JVM itself records it. */
final class Pinned implements AutoCloseable {

    private final RecordingStream events = new RecordingStream();
    private final AtomicLong count = new AtomicLong();

    Pinned() {
        events.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO);
        events.onEvent("jdk.VirtualThreadPinned", event -> count.incrementAndGet());
        events.startAsync();
    }

    /** Ends the recording and answers what it has seen. */
    long stop() throws InterruptedException {
        events.close();
        events.awaitTermination();
        return count.get();
    }

    @Override
    public void close() {
        events.close();
    }
}
