package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** W3 with a process for each waiter. Their clocks are one: {@code System.nanoTime} counts from the machine's start on Linux. */
final class ProcessHandOver implements Workload {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final int processes;
    private final Scale scale;

    ProcessHandOver(int processes, Scale scale) {
        this.processes = processes;
        this.scale = scale;
    }

    /** One hold: whose, when the lock was granted, and when its release began. */
    private record Hold(WorkerProcess worker, long granted, long releasing) {}

    @Override
    public String name() {
        return "W3-" + processes + "-processes";
    }

    @Override
    public String meaning() {
        return processes
                + " processes wait for one lock and release it at once; an operation is a grant to another process than the last one's, latency from the start"
                + " of the release to it";
    }

    @Override
    public List<Subject> subjects(Store store) {
        return Floors.andWaiters(store);
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
        return true;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public boolean isRunOnce() {
        return false;
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        List<WorkerProcess> workers = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                workers.add(WorkerProcess.of(HandOverMain.class)
                        .flags("-XX:+UseSerialGC", "-Xmx256m")
                        .arguments(server.store().name(), subject.name())
                        .environment("FENCEDLOCK_SERVERS_" + server.store().name(), server.url())
                        .start());
            }
            for (WorkerProcess worker : workers) {
                expect(worker, "ready");
            }
            tell(workers, scale.warmUp()); // compiles what follows
            handOver(workers);
            long before = ServerCounter.read(server);
            tell(workers, scale.round().multipliedBy(3));
            count(workers, server, before, sample);
        } finally {
            CompletableFuture.allOf(workers.stream()
                            .map(worker -> CompletableFuture.runAsync(worker::close))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        }
    }

    private static void tell(List<WorkerProcess> workers, Duration time) {
        String end = Long.toString(System.nanoTime() + time.toNanos());
        workers.forEach(worker -> worker.send(end));
    }

    private static String expect(WorkerProcess worker, String what) throws InterruptedException {
        return worker.receive(PATIENCE)
                .orElseThrow(
                        () -> new IllegalStateException("no " + what + " from " + worker + ": " + worker.lastWords()));
    }

    /** What every worker has seen, a list for each. */
    private static List<List<Hold>> handOver(List<WorkerProcess> workers) throws InterruptedException {
        List<List<Hold>> all = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            List<Hold> holds = new ArrayList<>();
            for (String line = expect(worker, "hold"); !line.equals("done"); line = expect(worker, "hold")) {
                String[] parts = line.split(" ", -1);
                holds.add(new Hold(worker, Long.parseLong(parts[0]), Long.parseLong(parts[1])));
            }
            all.add(holds);
        }
        return all;
    }

    private void count(List<WorkerProcess> workers, Server server, long before, Sample sample)
            throws InterruptedException {
        List<List<Hold>> all = handOver(workers);
        long requests = ServerCounter.read(server) - before;
        List<Hold> order = all.stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Hold::granted))
                .toList();
        Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
        for (int i = 1; i < order.size(); i++) {
            Hold last = order.get(i - 1);
            Hold next = order.get(i);
            if (next.worker() != last.worker()) {
                latencies.recordValue(Math.max(0, next.granted() - last.releasing()));
            }
        }
        long nanos = order.isEmpty()
                ? 1
                : order.get(order.size() - 1).granted() - order.get(0).granted();
        sample.round(latencies, latencies.getTotalCount(), nanos, requests);
        Shares.of(all.stream().mapToLong(List::size)).into(sample);
    }
}
