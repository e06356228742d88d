package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** W6: many names, each used once, on a server of its own: what others left on a shared one may go meanwhile. */
final class UsedOnce implements Workload {

    private static final int THREADS = 8;

    /** So many names, if there is time, that whatever is made once, and not for each name, is there: 1 024 parents, pools. */
    private static final int WARM_UP_NAMES = 8_192;

    private static final Duration WARM_UP = Duration.ofSeconds(3);

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
                + " and in the heap (the median of " + scale.runs() + ")";
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
    public Subject.Client open(Server server, Subject subject) {
        return Subject.none();
    }

    @Override
    public void round(Server shared, Subject subject, Subject.Client none, Sample sample) throws Exception {
        try (Server server = Servers.start(shared.store(), Bench.options(shared.store()));
                Subject.Client client = subject.open(server)) {
            measure(server, client, sample);
        }
    }

    private void measure(Server server, Subject.Client client, Sample sample) throws Exception {
        long warm = System.nanoTime() + WARM_UP.toNanos();
        use(
                client,
                "warm",
                name -> name < WARM_UP_NAMES && System.nanoTime() < warm,
                new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3));
        Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
        long heap = Heap.used();
        Residue before = Residue.of(server);
        long requests = ServerCounter.read(server);
        long begun = System.nanoTime();
        use(client, "once", name -> name < scale.leases(), latencies);
        long nanos = System.nanoTime() - begun;
        sample.round(latencies, scale.leases(), nanos, ServerCounter.read(server) - requests);
        Residue after = Residue.of(server);
        sample.measure("entries left", (double) (after.entries() - before.entries()));
        if (after.leases() >= 0) {
            sample.measure("etcd leases left", (double) (after.leases() - before.leases()));
        }
        // What every name leaves is left each time, what was made or freed once is not.
        for (int time = 1; ; time++) {
            long used = Heap.used();
            sample.measure("heap bytes left per name", (used - heap) / (double) scale.leases());
            if (time == scale.runs()) {
                return;
            }
            heap = used;
            use(client, "again-" + time, name -> name < scale.leases(), latencies);
        }
    }

    private static void use(Subject.Client client, String prefix, LongPredicate goesOn, Histogram latencies)
            throws Exception {
        AtomicLong next = new AtomicLong();
        Crew.platform(THREADS).run(number -> {
            for (long i = next.getAndIncrement(); goesOn.test(i); i = next.getAndIncrement()) {
                long from = System.nanoTime();
                client.acquire(prefix + "-" + i).release();
                latencies.recordValue(System.nanoTime() - from);
            }
        });
    }
}
