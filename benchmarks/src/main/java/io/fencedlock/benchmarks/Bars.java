package io.fencedlock.benchmarks;

import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What fencedlock sets itself to reach, and whether the results reach it. */
final class Bars {

    private static final String HEAD = """
            | workload | store | asked for | measured | |
            | --- | --- | --- | --- | --- |
            """;

    private static final List<String> STORES = List.of("redis", "zookeeper", "etcd");

    private final List<Result> results;
    private final StringBuilder table = new StringBuilder(HEAD);

    private Bars(List<Result> results) {
        this.results = results;
    }

    /** A table of all bars that the results say something about. */
    static String markdown(List<Result> results) {
        Bars bars = new Bars(results);
        STORES.forEach(bars::judge);
        for (String store : STORES) {
            bars.ours("W7", store)
                    .ifPresent(row ->
                            bars.row(row, "at most 1.15 × the plain write", times(ratio(row)), ratio(row) <= 1.15));
        }
        return bars.table.toString();
    }

    private void judge(String store) {
        for (String workload : List.of("W1-same", "W1-fresh")) {
            ours(workload, store).ifPresent(this::uncontended);
        }
        for (String workload : List.of("W2-64", "W2-64-virtual")) {
            ours(workload, store).ifPresent(this::throughput);
        }
        for (String workload : List.of("W3-8", "W3-32", "W3-8-processes")) {
            ours(workload, store).ifPresent(this::handOver);
        }
        for (String workload : List.of("cost-handover-8", "cost-handover-32")) {
            ours(workload, store).ifPresent(row -> handOverRequests(row, measure(row, "requests")));
        }
        ours("W3-8-processes", store).ifPresent(row -> handOverRequests(row, row.serverRequestsPerOp()));
        ours("W4", store).ifPresent(this::longWait);
        ours("cost-wait-1", store).ifPresent(this::waiting);
        ours("W5", store).ifPresent(this::holding);
        ours("W6", store).ifPresent(row -> {
            double entries = measure(row, "entries left") + measure(row, "etcd leases left");
            double heap = measure(row, "heap bytes left per name");
            row(row, "nothing left on the server", number(entries) + " entries in all", entries <= 10);
            row(row, "nothing left in the heap", number(heap) + " bytes per name", heap < 10);
        });
        ours("start-up", store)
                .ifPresent(row -> row(row, "at most 1.3 × the raw driver's", times(ratio(row)), ratio(row) <= 1.3));
    }

    private void uncontended(Result row) {
        double most = row.backend().equals("redis") ? 1.15 : 1.10;
        row(row, "at most " + most + " × the floor", times(ratio(row)), ratio(row) <= most);
        bestPeer(row, Result::p50us, false)
                .ifPresent(peer -> row(
                        row,
                        "no peer faster",
                        number(row.p50us()) + " µs; " + peer.subject() + " " + number(peer.p50us()) + " µs",
                        row.p50us() <= peer.p50us()));
        double requests = row.backend().equals("zookeeper") ? 3 : 2;
        row(
                row,
                "at most " + number(requests) + " requests",
                String.format(Locale.ROOT, "%.2f", row.serverRequestsPerOp()),
                row.serverRequestsPerOp() < requests + 0.05);
    }

    private void throughput(Result row) {
        double share = 1 / ratio(row);
        row(row, "at least 0.9 × the raw driver's throughput", times(share), share >= 0.9);
        fasterThanPeers(row, 1);
    }

    private void handOver(Result row) {
        if (row.backend().equals("redis")) {
            fasterThanPeers(row, 2);
        } else {
            double share = 1 / ratio(row);
            row(row, "at least 0.5 × the floor", times(share), share >= 0.5);
        }
        if (row.backend().equals("etcd")) {
            row(row, "p99 under 10 ms", number(row.p99us() / 1000) + " ms", row.p99us() < 10_000);
        }
        double most = measure(row, "most acquisitions");
        double least = measure(row, "least acquisitions");
        boolean inOrder = !row.backend().equals("redis");
        row(
                row,
                inOrder ? "most/least acquisitions at most 1.5" : "nobody starves",
                number(most) + " / " + number(least),
                inOrder ? most <= 1.5 * least : least > 0);
    }

    /** Of fencedlock alone on its server: where others' clients are open, too, their upkeep is counted. */
    private void handOverRequests(Result row, double requests) {
        row(row, "at most 3 requests", String.format(Locale.ROOT, "%.2f", requests), requests < 3.05);
    }

    private void longWait(Result row) {
        find("W4", row.backend(), Floors.RAW)
                .ifPresent(floor -> row(
                        row,
                        "at most 1 ms after the floor",
                        number(row.p50us()) + " µs; floor " + number(floor.p50us()) + " µs",
                        row.p50us() - floor.p50us() <= 1_000));
    }

    /** The lease or sessions of holder and waiter are kept up beside it. */
    private void waiting(Result row) {
        double requests = measure(row, "requests");
        double model = measure(row, "model");
        row(
                row,
                "at most a re-check a second beside the upkeep",
                number(requests) + " requests/s; by the model " + number(model),
                requests <= 1.2 * model);
    }

    private void holding(Result row) {
        double threads = measure(row, "threads more than with 8 leases");
        row(row, "threads do not grow with leases", number(threads) + " more than with 8 leases", threads <= 1);
        double heap = measure(row, "heap bytes per lease");
        row(row, "at most 1024 bytes of heap per lease", number(heap), heap <= 1024);
        if (row.backend().equals("redis")) {
            ToDoubleFunction<Result> cpu = each -> measure(each, "% of a processor while held");
            bestPeer(row, cpu, false)
                    .ifPresent(peer -> row(
                            row,
                            "no more CPU than the best peer",
                            number(cpu.applyAsDouble(row)) + "% of a processor; " + peer.subject() + " "
                                    + number(cpu.applyAsDouble(peer)) + "%",
                            cpu.applyAsDouble(row) <= cpu.applyAsDouble(peer)));
        } else {
            double requests = measure(row, "requests/s while held");
            double session = upkeep(row, Holding.LEASE, (int) measure(row, Holding.LEASES));
            row(row, "the upkeep of one session", number(requests) + " requests/s", requests <= session + 0.5);
        }
    }

    private void fasterThanPeers(Result row, double times) {
        bestPeer(row, Result::opsPerSecond, true)
                .ifPresent(peer -> row(
                        row,
                        times == 1 ? "no peer faster" : "at least " + number(times) + " × the best peer",
                        times(row.opsPerSecond() / peer.opsPerSecond()) + " " + peer.subject(),
                        row.opsPerSecond() >= times * peer.opsPerSecond()));
    }

    private Optional<Result> ours(String workload, String store) {
        return find(workload, store, FencedLockSubject.NAME);
    }

    private Optional<Result> find(String workload, String store, String subject) {
        return results.stream()
                .filter(row -> row.workload().equals(workload)
                        && row.backend().equals(store)
                        && row.subject().equals(subject))
                .findFirst();
    }

    private Optional<Result> bestPeer(Result ours, ToDoubleFunction<Result> by, boolean most) {
        List<Result> peers = new ArrayList<>(results);
        peers.removeIf(row -> !row.workload().equals(ours.workload())
                || !row.backend().equals(ours.backend())
                || Floors.isOne(row.subject())
                || row.subject().equals(FencedLockSubject.NAME));
        Comparator<Result> order = Comparator.comparingDouble(by);
        return most ? peers.stream().max(order) : peers.stream().min(order);
    }

    private void row(Result row, String asked, String measured, boolean held) {
        table.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s |%n",
                row.workload(),
                row.backend(),
                asked,
                measured,
                held ? "held" : "**missed**"));
    }

    private static double upkeep(Result row, Duration lease, int leases) {
        return CostModel.upkeep(Store.valueOf(row.backend().toUpperCase(Locale.ROOT)), lease, leases);
    }

    private static double ratio(Result row) {
        return row.ratioToFloor().orElse(Double.NaN);
    }

    private static double measure(Result row, String name) {
        return row.measures().getOrDefault(name, 0.0);
    }

    private static String times(double value) {
        return String.format(Locale.ROOT, "%.2f ×", value);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) || Math.abs(value) >= 10 ? "%.0f" : "%.1f", value);
    }
}
