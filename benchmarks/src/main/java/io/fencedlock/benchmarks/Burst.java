package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** W8: one thread asks for many locks at once, without blocking. */
final class Burst implements Workload {

    private static final AtomicLong RUNS = new AtomicLong();

    private final Scale scale;

    Burst(Scale scale) {
        this.scale = scale;
    }

    @Override
    public String name() {
        return "W8";
    }

    @Override
    public String meaning() {
        return "one thread asks for " + scale.leases()
                + " names without blocking; latency from each call to its grant, ops/s from the first call to the last grant";
    }

    @Override
    public boolean suits(Subject subject) {
        return subject.traits().contains(Subject.Trait.ASYNC);
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
        burst(server, client, 200, new Sample());
        burst(server, client, scale.leases(), sample);
    }

    private static void burst(Server server, Subject.Client client, int names, Sample sample) throws Exception {
        long run = RUNS.incrementAndGet();
        Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
        List<CompletableFuture<Subject.Held>> asked = new ArrayList<>();
        long requests = ServerCounter.read(server);
        long begun = System.nanoTime();
        for (int i = 0; i < names; i++) {
            long from = System.nanoTime();
            asked.add(client.acquireAsync("burst-" + run + "-" + i).thenApply(held -> {
                latencies.recordValue(System.nanoTime() - from);
                return held;
            }));
        }
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
        sample.round(latencies, names, System.nanoTime() - begun, ServerCounter.read(server) - requests);
        for (CompletableFuture<Subject.Held> each : asked) {
            each.get().release();
        }
    }
}
