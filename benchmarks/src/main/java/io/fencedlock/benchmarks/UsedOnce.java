package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** W6: many names, each used once. */
final class UsedOnce implements Workload {

    private static final int THREADS = 8;
    private static final AtomicLong RUNS = new AtomicLong();

    private final Scale scale;

    UsedOnce(Scale scale) {
        this.scale = scale;
    }

    @Override
    public String name() {
        return "W6";
    }

    @Override
    public String meaning() {
        return scale.leases()
                + " names are acquired and released once, by " + THREADS
                + " threads: what is left of them on the server (keys, znodes; etcd leases) right afterwards,"
                + " and in the heap";
    }

    @Override
    public boolean suits(Subject subject) {
        return true;
    }

    @Override
    public boolean comparesThroughput() {
        return false;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        use(
                client,
                "warm",
                scale.leases() / 5,
                new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3)); // stripes and pools are there now
        long run = RUNS.incrementAndGet();
        Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
        Heap heap = Heap.now();
        Residue before = Residue.of(server);
        long requests = ServerCounter.read(server);
        long begun = System.nanoTime();
        use(client, "once-" + run, scale.leases(), latencies);
        long nanos = System.nanoTime() - begun;
        sample.round(latencies, scale.leases(), nanos, ServerCounter.read(server) - requests);
        Residue after = Residue.of(server);
        sample.measure("entries left", (double) (after.entries() - before.entries()));
        if (after.leases() >= 0) {
            sample.measure("etcd leases left", (double) (after.leases() - before.leases()));
        }
        sample.measure("heap bytes left per name", heap.growth() / (double) scale.leases());
    }

    private static void use(Subject.Client client, String prefix, int names, Histogram latencies) throws Exception {
        AtomicLong next = new AtomicLong();
        Crew.platform(THREADS).run(number -> {
            for (long i = next.getAndIncrement(); i < names; i = next.getAndIncrement()) {
                long from = System.nanoTime();
                client.acquire(prefix + "-" + i).release();
                latencies.recordValue(System.nanoTime() - from);
            }
        });
    }
}
