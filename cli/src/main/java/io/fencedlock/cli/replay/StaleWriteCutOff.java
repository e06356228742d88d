package io.fencedlock.cli.replay;

/** A holder is cut off from the lock's store, and not from the resource. */
final class StaleWriteCutOff implements Scenario {

    @Override
    public String name() {
        return "stale-write-cut-off";
    }

    @Override
    public String summary() {
        return "a holder is cut off from the lock's server, not from the resource, and writes after the next holder";
    }

    @Override
    public Needs needs() {
        return Needs.CUT;
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        a.acquires();
        a.checks();
        stage.faults().cutOffA();
        stage.happens("network", "cut", "nothing passes between worker-A and the lock's server any more");
        b.asksAndWaits();
        b.acquired();
        b.writes();
        b.releases();
        boolean believes = a.checks();
        Verdict ending = StaleEnding.of(stage, a.writes());
        return new Verdict(
                ending.fields(),
                ending.asExpected() && !believes,
                "worker-A's own clock told it that its lease was over; " + ending.sentence());
    }
}
