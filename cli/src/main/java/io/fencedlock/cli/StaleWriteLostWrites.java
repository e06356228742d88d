package io.fencedlock.cli;

/** The lock's server comes back without what it had written. */
final class StaleWriteLostWrites implements Scenario {

    @Override
    public String name() {
        return "stale-write-lost-writes";
    }

    @Override
    public String summary() {
        return "the lock's server is killed and comes back empty while a holder is paused; the next token is still higher";
    }

    @Override
    public Needs needs() {
        return Needs.RESTART;
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
        stage.faults().restartEmpty();
        stage.happens("server", "restarted", "the server was killed and started again without its data");
        stage.b().asks();
        stage.b().acquired();
        stage.b().writes();
        stage.b().releases();
        return StaleEnding.of(stage, stage.a().continuesAndWrites());
    }
}
