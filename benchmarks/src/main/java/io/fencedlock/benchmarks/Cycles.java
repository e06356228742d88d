package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** W1 and W2: acquire and release again and again without contention. */
final class Cycles implements Workload {

    /** The name of a measure. */
    static final String SERVER_CPU = "µs of the server's CPU per op";

    private static final AtomicLong FRESH = new AtomicLong();

    private final String name;
    private final Crew crew;
    private final boolean fresh;
    private final Scale scale;

    Cycles(String name, Crew crew, boolean fresh, Scale scale) {
        this.name = name;
        this.crew = crew;
        this.fresh = fresh;
        this.scale = scale;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String meaning() {
        return crew + " of one client acquire and release without contention, "
                + (fresh ? "each time a name never used before" : "always the same name");
    }

    @Override
    public boolean suits(Subject subject) {
        return true;
    }

    @Override
    public List<Subject> subjects(Store store) {
        return Floors.andLocks(store);
    }

    @Override
    public boolean comparesThroughput() {
        return crew.size() > 1;
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        if (crew.isVirtual()) {
            try (Pinned pinned = new Pinned()) {
                cycle(server, client, sample);
                sample.measure("times pinned", (double) pinned.stop());
            }
        } else {
            cycle(server, client, sample);
        }
    }

    private void cycle(Server server, Subject.Client client, Sample sample) throws Exception {
        long before = ServerCounter.read(server);
        Optional<Double> cpu = ServerCpu.micros(server);
        List<Histogram> histograms = new ArrayList<>();
        long begun = System.nanoTime();
        long end = begun + scale.round().toNanos();
        crew.run(number -> {
            Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
            while (System.nanoTime() < end) {
                String lock = fresh ? "fresh-" + FRESH.incrementAndGet() : "same-" + number;
                long from = System.nanoTime();
                client.acquire(lock).release();
                latencies.recordValue(System.nanoTime() - from);
            }
            synchronized (histograms) {
                histograms.add(latencies);
            }
        });
        long nanos = System.nanoTime() - begun;
        long requests = ServerCounter.read(server) - before;
        Histogram all = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        histograms.forEach(all::add);
        sample.round(all, all.getTotalCount(), nanos, requests);
        Optional<Double> cpuAfter = ServerCpu.micros(server);
        if (crew.size() > 1 && cpu.isPresent() && cpuAfter.isPresent()) {
            sample.measure(SERVER_CPU, (cpuAfter.get() - cpu.get()) / all.getTotalCount());
        }
    }
}
