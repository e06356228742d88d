package io.fencedlock.cli;

/** What tokens come from is deleted while a holder is paused. */
final class StaleWriteLostCounter implements Scenario {

    @Override
    public String name() {
        return "stale-write-lost-counter";
    }

    @Override
    public String summary() {
        return "locks and counter (parent, base) are deleted while a holder is paused; the next token is still higher";
    }

    @Override
    public Needs needs() {
        return Needs.DELETE;
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        stage.a().acquires();
        stage.a().checks();
        stage.a().pauses();
        stage.faults().deleteCounters();
        stage.happens("server", "deleted", "the lock entries and what tokens come from were deleted");
        stage.b().asks();
        stage.b().acquired();
        stage.b().writes();
        stage.b().releases();
        return StaleEnding.of(stage, stage.a().continuesAndWrites());
    }
}
