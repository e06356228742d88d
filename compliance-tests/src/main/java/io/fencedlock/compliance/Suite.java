package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** One run against one target: its settings, the clients that all rules share, and the results so far. */
final class Suite implements AutoCloseable {

    /** Long enough for a renewal to fail once on a busy machine. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration WARM_UP = Duration.ofSeconds(5);

    final ComplianceTarget target;
    final Settings settings;
    final Spec spec = Spec.load();
    final Workers workers = new Workers();
    final String id;
    private final Consumer<RuleResult> onResult;
    private final UnaryOperator<String> replay;
    private final Map<String, RuleResult> results = new ConcurrentHashMap<>();
    private final List<FencedLocks> shared = new ArrayList<>();
    private final ReadWriteLock turns = new ReentrantReadWriteLock();

    Suite(ComplianceTarget target, Settings settings, Consumer<RuleResult> onResult, UnaryOperator<String> replay) {
        this.target = target;
        this.onResult = onResult;
        this.replay = replay;
        this.settings = settings;
        id = "suite-" + Long.toString(settings.seed(), 36) + "-" + Long.toString(System.nanoTime() & 0xFFFFFFFFFL, 36);
    }

    /** The client of a number; opened at its first use, shared by the rules that do it no harm. */
    synchronized FencedLocks client(int number) {
        while (shared.size() <= number) {
            FencedLocks opened = open(shared.isEmpty() ? LEASE : lease());
            shared.add(opened);
            warmUp(opened);
        }
        return shared.get(number);
    }

    /** The first request of a process loads classes and connects; no rule is about that, so it is over before the first one. */
    private void warmUp(FencedLocks client) {
        if (!(target.pace() instanceof RealPace)) {
            return;
        }
        try {
            client.get(id + "-warm").tryAcquire(WARM_UP).ifPresent(Lease::release);
        } catch (RuntimeException e) {
            // whatever it is, the rules meet it again and report it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    FencedLocks open(Duration lease) {
        try {
            return target.open(lease);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a client of " + target.name() + " could not be opened: " + e, e);
        }
    }

    /** Closes what the rules share, so that nobody remembers anything; opened again when it is needed. */
    synchronized void closeClients() {
        shared.forEach(FencedLocks::close);
        shared.clear();
    }

    BackendProfile profile() {
        return client(0).profile();
    }

    /** The lease time that most rules use: what the backend takes, and no less than two seconds times the multiplier. */
    Duration lease() {
        Duration wanted = scaled(LEASE);
        BackendProfile profile = profile();
        Duration least = wanted.compareTo(profile.smallestLease()) < 0 ? profile.smallestLease() : wanted;
        long step = Math.max(1, profile.leaseGranularity().toNanos());
        return Duration.ofNanos((least.toNanos() + step - 1) / step * step);
    }

    /** Held by a rule while it runs. Whoever moves the clock by waiting is always alone. */
    Lock turn(boolean sideBySide) {
        return sideBySide && target.pace() instanceof RealPace ? turns.readLock() : turns.writeLock();
    }

    /** What to type to run one rule again. */
    String replay(String rule) {
        return replay.apply(rule);
    }

    Duration scaled(Duration time) {
        return Duration.ofNanos((long) (time.toNanos() * settings.multiplier()));
    }

    synchronized void record(RuleResult result) {
        results.put(result.rule().id(), result);
        onResult.accept(result);
    }

    /** One result for each rule of the specification, in its order. */
    List<RuleResult> results() {
        return spec.rules().stream()
                .map(rule -> results.getOrDefault(
                        rule.id(),
                        new RuleResult(rule, Outcome.NOT_RUN, "its test was left out of this run", Duration.ZERO)))
                .toList();
    }

    @Override
    public void close() {
        closeClients();
        workers.close();
        target.close();
    }
}
