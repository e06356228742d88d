package io.fencedlock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.fencedlock.servers.Server;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** W5: one client holds many leases, which it renews. */
final class Holding implements Workload {

    /** Renewed several times while it is watched. */
    static final Duration LEASE = Duration.ofSeconds(6);

    /** The name of a measure. */
    static final String LEASES = "leases";

    private static final int THREADS = 8;
    private static final long PATIENCE_SECONDS = 240;

    private final Scale scale;

    Holding(Scale scale) {
        this.scale = scale;
    }

    @Override
    public String name() {
        return "W5";
    }

    @Override
    public String meaning() {
        return scale.leases() + " leases of " + LEASE.toSeconds() + " s are held and renewed by one client for "
                + scale.window().toSeconds()
                + " s: threads of the client, heap per lease, requests that the server counted and CPU of the client while it only"
                + " holds; latency and ops/s are those of the acquisitions before";
    }

    @Override
    public Subject.Client open(Server server, Subject subject) {
        return Subject.none();
    }

    @Override
    public boolean suits(Subject subject) {
        return subject.traits().contains(Subject.Trait.RENEWS);
    }

    @Override
    public boolean comparesThroughput() {
        return true;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        try (Subject.Client own = subject.open(server, LEASE)) {
            for (int i = 0; i < 500; i++) {
                own.acquire("warm-" + i).release();
            }
            Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
            AtomicLong full = new AtomicLong();
            AtomicInteger threads = new AtomicInteger();
            AtomicInteger lost = new AtomicInteger();
            CyclicBarrier together = new CyclicBarrier(THREADS);
            long requests = ServerCounter.read(server);
            long begun = System.nanoTime();
            Crew.platform(THREADS).run(number -> {
                List<Subject.Held> held = new ArrayList<>();
                held.add(own.acquire("held-" + number));
                alone(together, number, () -> threads.set(threads()));
                for (int i = THREADS + number; i < scale.leases(); i += THREADS) {
                    long from = System.nanoTime();
                    held.add(own.acquire("held-" + i));
                    latencies.recordValue(System.nanoTime() - from);
                }
                alone(together, number, () -> {
                    long nanos = System.nanoTime() - begun;
                    sample.round(latencies, scale.leases(), nanos, ServerCounter.read(server) - requests);
                    sample.measure(LEASES, scale.leases());
                    full.set(Heap.used());
                    sample.measure("threads more than with " + THREADS + " leases", threads() - threads.get());
                    watch(server, sample);
                });
                for (Subject.Held each : held) { // by the thread that acquired it: some insist
                    try {
                        each.release();
                    } catch (Exception e) {
                        lost.incrementAndGet();
                    }
                }
            });
            // Not against the beginning: buffers have grown since, and what clients that were closed before still held
            // is gone.
            sample.measure("heap bytes per lease", (full.get() - Heap.used()) / (double) scale.leases());
            if (lost.get() > 0) {
                sample.note(lost + " leases were lost while they were held");
            }
        }
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** Something that one thread does while all others wait for it. */
    private static void alone(CyclicBarrier together, int number, Step step) throws Exception {
        together.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (number == 0) {
            step.run();
        }
        together.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Something to do. */
    private interface Step {
        void run() throws Exception;
    }

    private void watch(Server server, Sample sample) throws InterruptedException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long requests = ServerCounter.read(server);
        long cpu = system.getProcessCpuTime();
        long begun = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(scale.window().toNanos());
        double nanos = System.nanoTime() - begun;
        sample.measure("requests/s while held", (ServerCounter.read(server) - requests) * 1e9 / nanos);
        sample.measure("% of a processor while held", 100 * (system.getProcessCpuTime() - cpu) / nanos);
    }
}
