package io.fencedlock.torture;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLockException;
import io.fencedlock.FencedLocks;
import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.HistoryChecker;
import io.fencedlock.compliance.history.Limits;
import io.fencedlock.compliance.history.Recorder;
import io.fencedlock.compliance.history.Violation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One run: phases, and the end of it. Used by one thread. */
final class Play {
    private static final Duration LONGEST_COMMAND = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration REACH = Duration.ofSeconds(8);
    private static final long CALM_MILLIS = 500;

    private final Plan plan;
    private final Arena arena;
    private final List<Nemesis> nemeses;
    private final Map<String, String> skipped;
    private final Progress progress;
    private final Chronicle chronicle = new Chronicle();
    private final Random random;
    private final Scores scores;
    private final BackendProfile profile;
    private final Duration lease;
    private final HistoryChecker checker;
    private final List<String> locks;
    private final Reports reports;
    private final Declared declared;
    private final Ending ending;
    private final Deque<Nemesis> next = new ArrayDeque<>();

    Play(Plan plan, Arena arena, Nemeses.Chosen chosen, Progress progress) {
        this.plan = plan;
        this.arena = arena;
        this.nemeses = chosen.possible();
        this.skipped = chosen.skipped();
        this.progress = progress;
        random = new Random(plan.seed());
        scores = new Scores(progress);
        profile = arena.profile(plan.tokens());
        lease = rounded(plan.lease(), profile);
        Duration command = command();
        checker = new HistoryChecker(new Limits(command, lease.dividedBy(3).plus(command), Limits.DEFAULT.tolerance()));
        String run = "torture-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-";
        locks = IntStream.rangeClosed(1, plan.workers()).mapToObj(i -> run + i).toList();
        reports = new Reports(plan);
        declared = new Declared(arena.losesWrites(), !arena.isRedlock(), profile, plan.tokens(), lease);
        ending = new Ending(plan, arena, scores, patience(), command);
    }

    /** The lease time that a backend takes in its place. */
    static Duration rounded(Duration lease, BackendProfile profile) {
        Duration least = lease.compareTo(profile.smallestLease()) < 0 ? profile.smallestLease() : lease;
        long grain = Math.max(1, profile.leaseGranularity().toMillis());
        return Duration.ofMillis((least.toMillis() + grain - 1) / grain * grain);
    }

    private Duration command() {
        Duration third = lease.dividedBy(3);
        return third.compareTo(LONGEST_COMMAND) < 0 ? third : LONGEST_COMMAND;
    }

    /** How long the entry of a dead holder may stand, and then some for a busy machine. */
    private Duration patience() {
        return lease.multipliedBy(2).plus(profile.expirySlack()).plus(PATIENCE);
    }

    Summary run() throws InterruptedException {
        Desk desk = new Desk(chronicle, plan.fencing());
        Progress.Counts counts;
        try (FencedLocks client = FencedLocks.configure()
                .url(arena.directUrl())
                .option("lease", lease.toMillis() + "ms")
                .connect()) {
            reach(client);
            progress.begun(plan, arena.place());
            counts = contend(client, desk);
        }
        ending.servers();
        Summary summary = scores.summary(plan, arena.place(), counts, skipped);
        reports.end(summary);
        return summary;
    }

    /** The first connection of a JVM takes its time; a store that is not there is told before workers are started. */
    private void reach(FencedLocks client) throws InterruptedException {
        long deadline = System.nanoTime() + REACH.toNanos();
        while (true) {
            try {
                client.inspect(locks.get(0));
                return;
            } catch (FencedLockException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
            }
        }
    }

    private Progress.Counts contend(FencedLocks client, Desk desk) throws InterruptedException {
        try (Crew crew = new Crew(arena, plan, lease, chronicle, desk)) {
            Scene scene = new Scene(
                    arena,
                    crew,
                    locks,
                    lease,
                    client,
                    random,
                    chronicle,
                    new Recorder("nemesis", chronicle::add),
                    new ArrayList<>());
            long end = System.nanoTime() + plan.time().toNanos();
            int number = 0;
            do {
                phase(++number, scene);
            } while (System.nanoTime() < end);
            Progress.Counts counts = scores.counts(chronicle);
            ending.crew(crew);
            return counts;
        }
    }

    private void phase(int number, Scene scene) throws InterruptedException {
        List<Nemesis> chosen = choose();
        String phase =
                "phase " + number + " (" + chosen.stream().map(Nemesis::name).collect(Collectors.joining(" + ")) + ")";
        scene.crew().go(locks);
        TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
        long broken = System.nanoTime();
        Deque<Nemesis.Healing> wounds = new ArrayDeque<>();
        for (Nemesis nemesis : chosen) {
            wounds.push(nemesis.deed().inflict(scene));
            scores.fault(nemesis);
        }
        TimeUnit.MILLISECONDS.sleep(spell());
        for (Nemesis.Healing wound : wounds) {
            wound.heal();
        }
        scene.whole();
        declared.healed(chosen);
        recover(phase, chosen, broken);
        TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
        settle(phase, scene.crew());
        check(phase, chosen, broken);
    }

    /** Each comes once before one comes twice; every third time two that do not get in each other's way. */
    private List<Nemesis> choose() {
        refill();
        List<Nemesis> chosen = new ArrayList<>(List.of(next.pop()));
        if (nemeses.size() > 1 && random.nextInt(3) == 0) {
            refill();
            Nemesis second = next.peek();
            if (second != null && second.target() != chosen.get(0).target()) {
                chosen.add(next.pop());
            }
        }
        chosen.sort(Comparator.comparing(Nemesis::target));
        return chosen;
    }

    private void refill() {
        if (next.isEmpty()) {
            List<Nemesis> order = new ArrayList<>(nemeses);
            Collections.shuffle(order, random);
            next.addAll(order);
        }
    }

    /** From a third of the lease time to twice as long. */
    private long spell() {
        long millis = lease.toMillis();
        return millis / 3 + random.nextInt((int) (millis * 5 / 3));
    }

    private void recover(String phase, List<Nemesis> chosen, long broken) throws InterruptedException {
        long healed = System.nanoTime();
        List<String> missing = chronicle.awaitGrants(locks, healed, patience());
        Duration took = Duration.ofNanos(System.nanoTime() - healed);
        if (missing.isEmpty()) {
            Duration silence = chronicle.silenceSince(broken);
            chosen.forEach(nemesis -> scores.recovered(nemesis, took, silence));
        } else {
            scores.hang(phase, "not granted within " + patience().toSeconds() + " s after healing: " + missing);
        }
    }

    /** All finish what they do; then one holds each lock for a last time. */
    private void settle(String phase, Crew crew) throws InterruptedException {
        for (Hand late : crew.stop(patience())) {
            scores.hang(phase, late.name() + " does not come to an end of what it does");
            new Recorder("nemesis-of-" + late.name(), chronicle::add)
                    .fault(io.fencedlock.compliance.history.Fault.KILL, late.name(), "");
            crew.replace(late);
            crew.stop(patience());
        }
        List<String> missed = crew.last(crew.any(random), locks, patience());
        if (!missed.isEmpty()) {
            scores.hang(phase, "nobody else asks, and yet one worker did not get " + missed);
        }
    }

    private void check(String phase, List<Nemesis> chosen, long begun) {
        List<Event> events = chronicle.endPhase();
        List<Violation> violations = checker.check(events);
        chronicle.complaints().forEach(sentence -> scores.complaint(phase, sentence));
        scores.violations(phase, violations, declared.covers(chosen, begun));
        if (!violations.isEmpty()) {
            reports.history(phase, events);
        }
        progress.checked(phase, scores.counts(chronicle));
    }
}
