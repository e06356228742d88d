package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
                + " clients wait for one lock and release it at once; latency from the start of a release to the next grant";
    }

    @Override
    public boolean suits(Subject subject) {
        return subject.traits().contains(Subject.Trait.WAITS);
    }

    @Override
    public boolean comparesThroughput() {
        return true;
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        List<Subject.Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < waiters; i++) {
                Subject.Client own = subject.open(server);
                clients.add(own);
                own.acquire("warm-" + i).release();
            }
            handOver(server, clients, sample);
        } finally {
            for (Subject.Client each : clients) {
                each.close();
            }
        }
    }

    private void handOver(Server server, List<Subject.Client> clients, Sample sample) throws Exception {
        Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
        long[] shares = new long[waiters];
        AtomicLong released = new AtomicLong();
        long before = ServerCounter.read(server);
        long begun = System.nanoTime();
        long end = begun + scale.round().toNanos();
        Crew.platform(waiters).run(number -> {
            while (System.nanoTime() < end) {
                Subject.Held held = clients.get(number).acquire("handed-over");
                long now = System.nanoTime();
                long last = released.get();
                if (last != 0) {
                    latencies.recordValue(Math.max(0, now - last));
                }
                shares[number]++;
                released.set(System.nanoTime());
                held.release();
            }
        });
        long nanos = System.nanoTime() - begun;
        long requests = ServerCounter.read(server) - before;
        long count = 0;
        long most = 0;
        long least = Long.MAX_VALUE;
        for (long share : shares) {
            count += share;
            most = Math.max(most, share);
            least = Math.min(least, share);
        }
        sample.round(latencies, count, nanos, requests);
        sample.note(String.format(Locale.ROOT, "most/least acquisitions %d/%d", most, least));
    }
}
