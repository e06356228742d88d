package io.fencedlock.torture;

import io.fencedlock.compliance.history.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Looks for what is left when a run is over. Used by one thread. */
final class Ending {
    private static final Duration UNDONE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 500;

    private final Plan plan;
    private final Arena arena;
    private final Scores scores;
    private final Duration patience;
    private final Duration command;

    /**
     * @param patience how long the entry of a dead holder may stand
     * @param command the limit of a command
     */
    Ending(Plan plan, Arena arena, Scores scores, Duration patience, Duration command) {
        this.plan = plan;
        this.arena = arena;
        this.scores = scores;
        this.patience = patience;
        this.command = command;
    }

    void crew(Crew crew) throws InterruptedException {
        Duration limit = command.multipliedBy(2).plusSeconds(1);
        List<Crew.End> ends = crew.end(limit.plus(GRACE));
        if (ends.size() < plan.workers()) {
            scores.hang("the end", plan.workers() - ends.size() + " workers did not close their clients");
        }
        for (Crew.End end : ends) {
            if (end.millis() > limit.plus(Limits.DEFAULT.tolerance()).toMillis()) {
                scores.hang("the end", end.worker() + " took " + end.millis() + " ms to close its client");
            }
            if (!end.threads().isEmpty()) {
                scores.leftover(end.worker() + " has threads left: " + end.threads(), List.of());
            }
        }
    }

    /** What dead workers had may stand until its time is over, and so may the mark of an undone request that could still arrive. */
    void servers() throws InterruptedException {
        if (!arena.isOurs()) {
            return;
        }
        long deadline = System.nanoTime() + patience.plus(UNDONE).toNanos();
        long left = arena.admin().entries();
        while (left > 0 && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            left = arena.admin().entries();
        }
        if (left > 0) {
            scores.leftover(left + " entries are left on " + arena.place(), List.of());
        }
    }
}
