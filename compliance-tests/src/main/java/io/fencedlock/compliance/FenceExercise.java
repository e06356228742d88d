package io.fencedlock.compliance;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Random operations on a fence, with tokens where numbers get inexact: one by one against the rule itself, and at once, with requests that are
 * given up on their way and repeated. For the author of a fence; a fault is an {@link AssertionError} that names the seed. Not thread-safe.
 */
public final class FenceExercise {

    private static final long[] BASES = {1, 1L << 31, 1L << 53, Long.MAX_VALUE - 40};
    private static final int SPREAD = 40;
    private static final int MOVES_ON_ONE_RESOURCE = 60;
    private static final int THREADS = 4;
    private static final int MOVES_OF_A_THREAD = 25;

    private final Subject subject;
    private final long seed;
    private final String prefix = "exercise-" + HolderId.random() + "/";
    private int resources;
    private int accepted;
    private int refused;

    /** A resource behind the fence: for each name a log that only fenced writes append to. Thread-safe. */
    public interface Subject {

        /**
         * The fence.
         *
         * @return always the same
         */
        Fence fence();

        /**
         * Appends the mark to a log, behind the fence.
         *
         * @param resource the log
         * @param mark the writer's
         * @throws StaleTokenException if the fence refused
         */
        void append(String resource, FenceMark mark);

        /**
         * Reads a log.
         *
         * @param resource the log
         * @return what was appended, in the order in which the store took it
         */
        List<FenceMark> appended(String resource);
    }

    /**
     * Makes one.
     *
     * @param subject what to try
     * @param seed of all that is random
     */
    public FenceExercise(Subject subject, long seed) {
        this.subject = subject;
        this.seed = seed;
    }

    /**
     * How the operations ended.
     *
     * @return one sentence
     */
    public String summary() {
        return "accepted " + accepted + ", refused " + refused + ", seed " + seed;
    }

    /**
     * One operation after the other, each compared with what the rule says.
     *
     * @param operations how many
     */
    public void oneByOne(int operations) {
        Random random = new Random(seed);
        List<HolderId> holders = holders();
        Map<String, List<FenceMark>> logs = new HashMap<>();
        Optional<FenceMark> model = Optional.empty();
        String resource = "";
        long base = 1;
        for (int i = 0; i < operations; i++) {
            if (i % MOVES_ON_ONE_RESOURCE == 0) { // marks only rise: a fresh one now and then
                check(resource, logs.getOrDefault(resource, List.of()));
                resource = prefix + resources++;
                base = BASES[random.nextInt(BASES.length)];
                model = Optional.empty();
            }
            Move move = Move.random(random);
            FenceMark shown = mark(random, base, holders);
            model = apply(move, resource, shown, model, logs, "operation " + i);
        }
        check(resource, logs.getOrDefault(resource, List.of()));
    }

    private enum Move {
        APPEND,
        ADVANCE,
        RAISE,
        READ,
        REMOVE;

        static Move random(Random random) {
            int dice = random.nextInt(40);
            return dice < 20 ? APPEND : dice < 30 ? ADVANCE : dice < 36 ? READ : dice < 39 ? RAISE : REMOVE;
        }
    }

    private Optional<FenceMark> apply(
            Move move,
            String resource,
            FenceMark shown,
            Optional<FenceMark> model,
            Map<String, List<FenceMark>> logs,
            String when) {
        String what = when + ": " + move + " with " + shown + " on " + model;
        switch (move) {
            case APPEND, ADVANCE -> {
                boolean admitted = model.isEmpty() || model.get().admits(shown);
                require(
                        enters(move, resource, shown) == admitted,
                        what + " should be " + (admitted ? "" : "not ") + "admitted");
                if (admitted && move == Move.APPEND) {
                    logs.computeIfAbsent(resource, name -> new ArrayList<>()).add(shown);
                }
                return admitted ? Optional.of(shown) : model;
            }
            case RAISE -> {
                FenceMark after = subject.fence().raise(resource, shown.token());
                boolean higher = model.isPresent() && model.get().token() > shown.token();
                FenceMark expected = higher ? model.get() : new FenceMark(shown.token(), null);
                require(after.equals(expected), what + " answered " + after);
                return Optional.of(expected);
            }
            case READ -> {
                Optional<FenceMark> found = subject.fence().mark(resource);
                require(found.equals(model), what + " found " + found);
                return model;
            }
            default -> {
                require(subject.fence().remove(resource) == model.isPresent(), what + " answered wrongly");
                return Optional.empty();
            }
        }
    }

    private boolean enters(Move move, String resource, FenceMark shown) {
        try {
            if (move == Move.APPEND) {
                subject.append(resource, shown);
            } else {
                subject.fence().advance(resource, shown);
            }
            accepted++;
            return true;
        } catch (StaleTokenException e) {
            require(e.staleToken() == shown.token(), "the refusal of " + shown + " carries token " + e.staleToken());
            refused++;
            return false;
        }
    }

    private void check(String resource, List<FenceMark> log) {
        if (!resource.isEmpty()) {
            List<FenceMark> found = subject.appended(resource);
            require(found.equals(log), "appended to " + resource + ": " + found + " instead of " + log);
            subject.fence().remove(resource);
        }
    }

    /** A move of somebody's, with when it began and ended as numbers that count up for all threads. */
    private record Done(
            Move move,
            FenceMark mark,
            long began,
            long ended,
            @Nullable Long against,
            boolean known) {}

    /**
     * Four writers at once on one resource, again and again. Now and then one is interrupted while its request is on its way, which may be
     * run then or not, and asks again.
     *
     * @param operations how many, about
     * @throws InterruptedException if interrupted
     */
    public void atOnce(int operations) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < Math.max(1, operations / (THREADS * MOVES_OF_A_THREAD)); round++) {
                oneRound(threads, round);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void oneRound(ExecutorService threads, int round) throws InterruptedException {
        String resource = prefix + resources++;
        long base = BASES[round % BASES.length];
        List<HolderId> holders = holders();
        AtomicLong time = new AtomicLong();
        List<Future<List<Done>>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random((seed + round) * 31 + thread);
            Callable<List<Done>> work = () -> {
                List<Done> done = new ArrayList<>();
                for (int i = 0; i < MOVES_OF_A_THREAD; i++) {
                    one(resource, random, mark(random, base, holders), time, done);
                }
                return done;
            };
            all.add(threads.submit(work));
        }
        List<Done> done = new ArrayList<>();
        for (Future<List<Done>> one : all) {
            try {
                done.addAll(one.get());
            } catch (ExecutionException e) {
                throw new AssertionError("round " + round + " of seed " + seed + " failed", e);
            }
        }
        check(resource, done, "round " + round);
        subject.fence().remove(resource);
    }

    private void one(String resource, Random random, FenceMark mark, AtomicLong time, List<Done> done) {
        int dice = random.nextInt(20);
        Move move = dice < 12 ? Move.APPEND : dice < 19 ? Move.ADVANCE : Move.RAISE;
        boolean known;
        do {
            long began = time.incrementAndGet();
            Long against = null;
            known = true;
            if (move != Move.RAISE && random.nextInt(10) == 0) {
                Thread.currentThread().interrupt();
            }
            try {
                switch (move) {
                    case APPEND -> subject.append(resource, mark);
                    case ADVANCE -> subject.fence().advance(resource, mark);
                    default -> subject.fence().raise(resource, mark.token());
                }
            } catch (StaleTokenException e) {
                against = e.acceptedToken();
            } catch (OutcomeUnknownException e) {
                known = false;
            }
            Thread.interrupted();
            done.add(new Done(move, mark, began, time.incrementAndGet(), against, known));
        } while (!known);
    }

    private void check(String resource, List<Done> done, String when) {
        List<FenceMark> log = subject.appended(resource);
        for (int i = 1; i < log.size(); i++) {
            require(
                    log.get(i - 1).admits(log.get(i)),
                    when + ": " + log.get(i) + " was accepted after " + log.get(i - 1));
        }
        for (Done one : done) {
            if (one.against() != null) {
                refused++;
                checkRefusal(one, done, when);
            } else if (one.known()) {
                accepted++;
                checkOrder(one, done, when);
            }
        }
    }

    /** Nobody is refused but for a token that somebody else has shown. */
    private void checkRefusal(Done refusal, List<Done> done, String when) {
        long against = refusal.against() == null ? 0 : refusal.against();
        boolean shown = done.stream()
                .filter(one -> one.against() == null && one.mark().token() == against)
                .anyMatch(one -> against > refusal.mark().token()
                        || !one.mark().equals(refusal.mark())
                        || one.move() == Move.RAISE);
        require(against >= refusal.mark().token() && shown, when + ": " + refusal + " is a false refusal");
    }

    /** What was accepted is not below what was accepted, advanced or raised before it began. */
    private void checkOrder(Done accepted, List<Done> done, String when) {
        if (accepted.move() == Move.RAISE) {
            return; // it leaves a higher mark
        }
        for (Done before : done) {
            if (before.known() && before.against() == null && before.ended() < accepted.began()) {
                FenceMark mark = before.move() == Move.RAISE
                        ? new FenceMark(before.mark().token(), null)
                        : before.mark();
                require(mark.admits(accepted.mark()), when + ": " + accepted + " was accepted after " + before);
            }
        }
    }

    private void require(boolean holds, String fault) {
        if (!holds) {
            throw new AssertionError("seed " + seed + ", " + fault);
        }
    }

    private static FenceMark mark(Random random, long base, List<HolderId> holders) {
        long token = Math.max(1, base - SPREAD / 2) + random.nextInt(SPREAD);
        return new FenceMark(token, holders.get(random.nextInt(holders.size())));
    }

    private static List<HolderId> holders() {
        return List.of(HolderId.random(), HolderId.random(), HolderId.random());
    }
}
