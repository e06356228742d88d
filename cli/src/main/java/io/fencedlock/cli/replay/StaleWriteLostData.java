package io.fencedlock.cli.replay;

import java.util.function.Consumer;

/**
 * The lock's store loses what it knew while a holder is paused.
 *
 * @param loss makes it so
 * @param action the loss on the timeline, in one word
 * @param sentence the same for people
 */
record StaleWriteLostData(
        String name, String summary, Needs needs, Consumer<Faults> loss, String action, String sentence)
        implements Scenario {

    static final StaleWriteLostData COUNTER = new StaleWriteLostData(
            "stale-write-lost-counter",
            "locks and counter (parent, base) are deleted while a holder is paused; the next token is still higher",
            Needs.DELETE,
            Faults::deleteCounters,
            "deleted",
            "the lock entries and what tokens come from were deleted");

    static final StaleWriteLostData WRITES = new StaleWriteLostData(
            "stale-write-lost-writes",
            "the lock's server is killed and comes back empty while a holder is paused; the next token is still higher",
            Needs.RESTART,
            Faults::restartEmpty,
            "restarted",
            "the server was killed and started again without its data");

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        stage.a().acquires();
        stage.a().checks();
        stage.a().pauses();
        loss.accept(stage.faults());
        stage.happens("server", action, sentence);
        stage.b().asks();
        stage.b().acquired();
        stage.b().writes();
        stage.b().releases();
        return StaleEnding.of(stage, stage.a().continuesAndWrites());
    }
}
