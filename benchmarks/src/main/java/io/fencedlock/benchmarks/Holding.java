package io.fencedlock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.fencedlock.servers.Server;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** W5: one client holds many leases, which it renews. */
final class Holding implements Workload {

    /** Renewed several times while it is watched. */
    private static final Duration LEASE = Duration.ofSeconds(6);

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
        for (int i = 0; i < 200; i++) {
            client.acquire("warm-" + i).release();
        }
        Heap heap = Heap.now();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        try (Subject.Client own = subject.open(server, LEASE)) {
            Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
            List<Subject.Held> held = new ArrayList<>();
            long before = ServerCounter.read(server);
            long begun = System.nanoTime();
            for (int i = 0; i < scale.leases(); i++) {
                long from = System.nanoTime();
                held.add(own.acquire("held-" + i));
                latencies.recordValue(System.nanoTime() - from);
            }
            sample.round(latencies, held.size(), System.nanoTime() - begun, ServerCounter.read(server) - before);
            sample.measure("heap bytes per lease", heap.growth() / (double) held.size());
            sample.measure("threads", ManagementFactory.getThreadMXBean().getThreadCount() - threads);
            watch(server, sample);
            for (Subject.Held each : held) {
                each.release();
            }
        }
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
