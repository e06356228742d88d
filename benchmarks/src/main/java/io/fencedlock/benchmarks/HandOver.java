package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** W3: waiters, each with a client of its own, hand one lock from one to the next. */
final class HandOver implements Workload {

    private final String name;
    private final int waiters;
    private final Scale scale;

    HandOver(String name, int waiters, Scale scale) {
        this.name = name;
        this.waiters = waiters;
        this.scale = scale;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String meaning() {
        return waiters
                + " clients wait for one lock and release it at once; an operation is a grant to another client than the last one's, latency from the start of the"
                + " release to it";
    }

    @Override
    public List<Subject> subjects(Store store) {
        return Floors.andWaiters(store).stream()
                .map(subject -> Crowd.of(subject, waiters))
                .toList();
    }

    @Override
    public boolean suits(Subject subject) {
        return true;
    }

    @Override
    public boolean comparesThroughput() {
        return true;
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        List<Subject.Client> clients = ((Crowd) client).all();
        Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
        long[] shares = new long[waiters];
        AtomicLong released = new AtomicLong();
        AtomicLong handedOver = new AtomicLong();
        AtomicInteger holder = new AtomicInteger(-1);
        long before = ServerCounter.read(server);
        long begun = System.nanoTime();
        long end = begun + scale.round().toNanos();
        Crew.platform(waiters).run(number -> {
            while (System.nanoTime() < end) {
                Subject.Held held = clients.get(number).acquire("handed-over");
                long now = System.nanoTime();
                long last = released.get();
                if (holder.getAndSet(number) != number && last != 0) {
                    handedOver.incrementAndGet();
                    latencies.recordValue(Math.max(0, now - last));
                }
                shares[number]++;
                released.set(System.nanoTime());
                held.release();
            }
        });
        long nanos = System.nanoTime() - begun;
        long requests = ServerCounter.read(server) - before;
        sample.round(latencies, handedOver.get(), nanos, requests);
        Shares.of(LongStream.of(shares)).into(sample);
    }
}
