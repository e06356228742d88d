package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** How often a client asks its server and waits for the answer, when nobody else wants the lock. Part of the report, not a rule. */
record RoundTrips(int acquire, int renewal, int release) {

    private static final int ROUNDS = 9;

    /** Measures; the middle of a few rounds, as what a client does in the background comes between. Empty if it cannot be seen. */
    static Optional<RoundTrips> measure(Suite suite) {
        if (!(suite.target.controls() instanceof UrlControls controls)) {
            return Optional.empty();
        }
        try (Bench bench = new Bench(suite, "round-trips")) {
            FencedLocks client = bench.breakable();
            HolderFaultRules.works(bench, client, "it was opened");
            String name = bench.name();
            List<RoundTrips> rounds = Stream.generate(
                            () -> once(bench, client.get(name), () -> controls.roundTrips(client)))
                    .limit(ROUNDS)
                    .toList();
            return Optional.of(new RoundTrips(
                    middle(rounds, RoundTrips::acquire),
                    middle(rounds, RoundTrips::renewal),
                    middle(rounds, RoundTrips::release)));
        } catch (RuntimeException e) {
            return Optional.empty(); // the report stands without it
        }
    }

    private static RoundTrips once(Bench bench, FencedLock lock, IntSupplier count) {
        int before = count.getAsInt();
        Lease lease = bench.hold(lock);
        int granted = count.getAsInt();
        bench.call("renew()", () -> {
            lease.renew();
            return true;
        });
        int renewed = count.getAsInt();
        bench.release(lease);
        return new RoundTrips(granted - before, renewed - granted, count.getAsInt() - renewed);
    }

    private static int middle(List<RoundTrips> rounds, ToIntFunction<RoundTrips> which) {
        return rounds.stream()
                .mapToInt(which)
                .sorted()
                .skip(ROUNDS / 2)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String toString() {
        return "acquire " + acquire + ", renewal " + renewal + ", release " + release;
    }
}
