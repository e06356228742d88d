package io.fencedlock.cli;

import io.fencedlock.ManualClock;
import io.fencedlock.MemoryRegister;
import io.fencedlock.MemoryStore;
import java.time.Duration;
import java.util.stream.Stream;

/** The store in memory: workers are threads of this process, the clock is moved by hand. */
final class MemoryVenue implements Venue {
    private final Cast cast;
    private int subjects;

    MemoryVenue(TokenSource tokens, Duration lease) {
        ManualClock clock = new ManualClock();
        MemoryStore store = tokens == TokenSource.TEXTBOOK ? new MemoryStore(clock, 0) : new MemoryStore(clock);
        MemoryRegister register = new MemoryRegister();
        var workers = Stream.of("worker-A", "worker-B", "worker-C")
                .<Worker>map(name -> new ThreadWorker(name, clock, store, register))
                .toList();
        cast = new Cast(workers, clock::nanos, lease, lease.plusSeconds(10), "by hand");
    }

    @Override
    public String backend() {
        return "memory";
    }

    @Override
    public String place() {
        return "memory (threads of this process and a clock moved by hand)";
    }

    @Override
    public Cast cast() {
        return cast;
    }

    @Override
    public String newSubject() {
        subjects++;
        return "invoice-" + (1040 + subjects);
    }

    @Override
    public void close() {
        cast.close();
    }
}
