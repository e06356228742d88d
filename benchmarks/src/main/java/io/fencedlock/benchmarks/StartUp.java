package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** From nothing to the first lock, in a JVM that has done it before. */
final class StartUp implements Workload {

    private static final int TIMES = 25;

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
        long sum = 0;
        for (int i = 0; i < TIMES; i++) {
            long from = System.nanoTime();
            try (Subject.Client own = subject.open(server)) {
                Subject.Held held = own.acquire("first");
                long took = System.nanoTime() - from;
                latencies.recordValue(took);
                sum += took;
                held.release();
            }
        }
        sample.round(latencies, TIMES, sum, ServerCounter.read(server) - requests);
    }
}
