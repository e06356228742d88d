package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** From nothing to the first lock, in a JVM that has done it before. */
final class StartUp implements Workload {

    private final Scale scale;

    StartUp(Scale scale) {
        this.scale = scale;
    }

    @Override
    public String name() {
        return "start-up";
    }

    @Override
    public String meaning() {
        return "from opening a client to its first lock, classes being loaded and compiled";
    }

    @Override
    public Subject.Client open(Server server, Subject subject) {
        return Subject.none();
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
        Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
        long requests = ServerCounter.read(server);
        long end = System.nanoTime() + scale.round().multipliedBy(2).toNanos();
        long sum = 0;
        int times = 0;
        while (System.nanoTime() < end) {
            long from = System.nanoTime();
            try (Subject.Client own = subject.open(server)) {
                Subject.Held held = own.acquire("first");
                long took = System.nanoTime() - from;
                latencies.recordValue(took);
                sum += took;
                times++;
                held.release();
            }
        }
        sample.round(latencies, times, sum, ServerCounter.read(server) - requests);
    }
}
