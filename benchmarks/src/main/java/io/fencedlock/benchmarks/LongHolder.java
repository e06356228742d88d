package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** W4: one waiter waits for a holder that takes its time. */
final class LongHolder implements Workload {

    private final Scale scale;

    LongHolder(Scale scale) {
        this.scale = scale;
    }

    @Override
    public String name() {
        return "W4";
    }

    @Override
    public String meaning() {
        return "one waiter waits while another client holds the lock; latency from the start of the release to its grant";
    }

    @Override
    public List<Subject> subjects(Store store) {
        return Floors.andWaiters(store);
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
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        try (Subject.Client other = subject.open(server)) {
            other.acquire("warm").release();
            Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
            long begun = System.nanoTime();
            int times = 0;
            while (System.nanoTime() - begun < scale.round().toNanos()) {
                Subject.Held held = client.acquire("long");
                CompletableFuture<Long> granted = new CompletableFuture<>();
                Thread waiter = new Thread(() -> wait(other, granted), "waiter");
                waiter.start();
                TimeUnit.MILLISECONDS.sleep(100 + scale.round().toMillis() / 2);
                long released = System.nanoTime();
                held.release();
                latencies.recordValue(Math.max(0, granted.get(1, TimeUnit.MINUTES) - released));
                waiter.join();
                times++;
            }
            sample.round(latencies, times, System.nanoTime() - begun, 0);
        }
    }

    private static void wait(Subject.Client client, CompletableFuture<Long> granted) {
        try {
            Subject.Held held = client.acquire("long");
            granted.complete(System.nanoTime());
            held.release();
        } catch (Exception e) {
            granted.completeExceptionally(e);
        }
    }
}
