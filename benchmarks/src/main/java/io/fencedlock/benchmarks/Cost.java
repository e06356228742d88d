package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * The cost model: what fencedlock asks of its server in one situation, beside what the model says. Counts, not times: they hold on a busy machine.
 */
final class Cost implements Workload {

    private static final Duration HELD = Duration.ofSeconds(6);

    /** What happens. */
    enum Situation {
        /** One client acquires and releases; an operation is both. */
        CYCLE,
        /** One client holds so many leases; an operation is a second. */
        HOLD,
        /** One client holds a lock for which so many clients wait; an operation is a second. */
        WAIT,
        /** So many clients hand one lock from one to the next; an operation is a hand-over. */
        HAND_OVER
    }

    private final Situation situation;
    private final int number;
    private final Scale scale;

    Cost(Situation situation, int number, Scale scale) {
        this.situation = situation;
        this.number = number;
        this.scale = scale;
    }

    static List<Workload> all(Scale scale) {
        return List.of(
                new Cost(Situation.CYCLE, 1, scale),
                new Cost(Situation.HOLD, 10, scale),
                new Cost(Situation.HOLD, 100, scale),
                new Cost(Situation.WAIT, 1, scale),
                new Cost(Situation.WAIT, 8, scale),
                new Cost(Situation.HAND_OVER, 2, scale),
                new Cost(Situation.HAND_OVER, 8, scale),
                new Cost(Situation.HAND_OVER, 32, scale));
    }

    @Override
    public String name() {
        String name = "cost-" + situation.name().toLowerCase(Locale.ROOT).replace("_", "");
        return situation == Situation.CYCLE ? name : name + "-" + number;
    }

    @Override
    public String meaning() {
        return switch (situation) {
            case CYCLE -> "requests and bytes of one acquire and release";
            case HOLD ->
                "requests and bytes of one client in a second in which it holds " + number + " leases of "
                        + HELD.toSeconds() + " s";
            case WAIT ->
                "requests and bytes of all clients in a second in which one holds and " + number + " wait (leases of "
                        + HELD.toSeconds() + " s)";
            case HAND_OVER -> "requests and bytes of one hand-over among " + number + " clients";
        };
    }

    @Override
    public Subject.Client open(Server server, Subject subject) {
        return Subject.none();
    }

    @Override
    public boolean suits(Subject subject) {
        return subject.name().equals(FencedLockSubject.NAME);
    }

    @Override
    public boolean comparesThroughput() {
        return false;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    /** The most requests of an operation that the model allows. */
    private double model(Store store) {
        double third = 3.0 / HELD.toSeconds();
        double upkeep = CostModel.upkeep(store, HELD, number);
        return switch (situation) {
            case CYCLE -> CostModel.cycle();
            case HOLD -> store == Store.REDIS ? number * third : upkeep;
            case WAIT -> number * CostModel.recheck(store) + (store == Store.REDIS ? third : (number + 1) * upkeep);
            case HAND_OVER -> CostModel.handOver(store);
        };
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        List<Subject.Client> clients = new ArrayList<>();
        try {
            int count = situation == Situation.WAIT ? number + 1 : situation == Situation.HAND_OVER ? number : 1;
            for (int i = 0; i < count; i++) {
                clients.add(situation == Situation.HAND_OVER ? subject.open(server) : subject.open(server, HELD));
                clients.get(i).acquire("warm-" + i).release();
            }
            switch (situation) {
                case CYCLE -> cycle(server, clients.get(0), sample);
                case HOLD -> hold(server, clients.get(0), sample);
                case WAIT -> await(server, clients, sample);
                case HAND_OVER -> handOver(server, clients, sample);
            }
            sample.measure("model", model(server.store()));
        } finally {
            clients.forEach(Subject.Client::close);
        }
    }

    private static void cycle(Server server, Subject.Client client, Sample sample) throws Exception {
        Traffic before = Traffic.of(server);
        int times = 500;
        for (int i = 0; i < times; i++) {
            client.acquire("cost-" + i % 10).release();
        }
        Traffic.of(server).since(before).into(sample, times);
    }

    private void hold(Server server, Subject.Client client, Sample sample) throws Exception {
        List<Subject.Held> held = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            held.add(client.acquire("hold-" + i));
        }
        second(server, sample);
        for (Subject.Held each : held) {
            each.release();
        }
    }

    /** Over whole spells between renewals, one at least. */
    private void second(Server server, Sample sample) throws InterruptedException {
        long spell = HELD.dividedBy(3).toNanos();
        Traffic before = Traffic.of(server);
        long begun = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(spell * Math.max(1, scale.window().toNanos() / 2 / spell));
        Traffic.of(server).since(before).into(sample, (System.nanoTime() - begun) / 1e9);
    }

    private void await(Server server, List<Subject.Client> clients, Sample sample) throws Exception {
        Subject.Held held = clients.get(0).acquire("awaited");
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (Subject.Client each : clients.subList(1, clients.size())) {
            waiting.add(each.acquireAsync("awaited").thenAccept(Cost::release));
        }
        TimeUnit.MILLISECONDS.sleep(500); // they have asked and wait now
        second(server, sample);
        held.release();
        CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
    }

    private static void release(Subject.Held held) {
        try {
            held.release();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Counted when each has waited before: the first time a client may have to ask to be told. */
    private void handOver(Server server, List<Subject.Client> clients, Sample sample) throws Exception {
        handOver(clients, scale.round());
        Traffic before = Traffic.of(server);
        int count = handOver(clients, scale.round().multipliedBy(2));
        Traffic.of(server).since(before).into(sample, count);
    }

    private int handOver(List<Subject.Client> clients, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        AtomicInteger count = new AtomicInteger();
        Crew.platform(number).run(client -> {
            do {
                Subject.Held held = clients.get(client).acquire("handed-over");
                count.incrementAndGet();
                held.release();
            } while (System.nanoTime() < end);
        });
        return count.get();
    }

    /** What has gone to a server and come from it. */
    private record Traffic(long requests, long in, long out) {

        static Traffic of(Server server) {
            return switch (server.store()) {
                case REDIS ->
                    new Traffic(
                            ServerCounter.read(server),
                            ServerCounter.number(server, "total_net_input_bytes:(\\d+)"),
                            ServerCounter.number(server, "total_net_output_bytes:(\\d+)"));
                case ETCD ->
                    new Traffic(
                            ServerCounter.read(server),
                            ServerCounter.number(server, "(?m)^etcd_network_client_grpc_received_bytes_total (\\S+)"),
                            ServerCounter.number(server, "(?m)^etcd_network_client_grpc_sent_bytes_total (\\S+)"));
                default -> new Traffic(ServerCounter.read(server), 0, 0); // ZooKeeper does not count bytes
            };
        }

        Traffic since(Traffic before) {
            return new Traffic(requests - before.requests, in - before.in, out - before.out);
        }

        void into(Sample sample, double operations) {
            Histogram none = new Histogram(1_000, 1);
            sample.round(none, Math.max(1, Math.round(operations)), TimeUnit.SECONDS.toNanos(1), requests);
            sample.measure("requests", requests / operations);
            if (in > 0) {
                sample.measure("bytes to the server", in / operations);
                sample.measure("bytes from the server", out / operations);
            }
        }
    }
}
