package io.fencedlock.cli.replay;

import io.fencedlock.cli.replay.Actor.Written;

/** A holder is paused past its lease, and writes after the next holder has written. */
final class StaleWrite implements Scenario {

    @Override
    public String name() {
        return "stale-write";
    }

    @Override
    public String summary() {
        return "a holder is paused past its lease and writes after the next holder: refused by its token, or it overwrites";
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        a.acquires();
        a.checks();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        stage.c().findsItHeld();
        b.writes();
        b.releases();
        Written late = a.continuesAndWrites();
        return StaleEnding.of(stage, late);
    }
}
