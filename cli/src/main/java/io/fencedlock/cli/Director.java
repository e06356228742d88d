package io.fencedlock.cli;

import java.util.List;

/** Plays scenarios on a venue and keeps the score. */
final class Director {
    private final Timeline timeline;
    private int exitCode = Exit.OK;

    Director(Timeline timeline) {
        this.timeline = timeline;
    }

    /** The worst of what was played. */
    int exitCode() {
        return exitCode;
    }

    void failed(int code) {
        exitCode = Math.max(exitCode, code);
    }

    void play(Venue venue, List<Scenario> scenarios, TokenSource tokens, List<Boolean> fencing) {
        for (Scenario scenario : scenarios) {
            for (boolean on : fencing) {
                play(venue, scenario, new Run(scenario.name(), venue.backend(), venue.place(), on, tokens));
            }
        }
    }

    private void play(Venue venue, Scenario scenario, Run run) {
        String subject = venue.newSubject();
        timeline.begin(run, scenario);
        try {
            Actor.makeReady(venue.cast().workers(), subject);
            Verdict verdict = scenario.play(new Stage(run, venue.cast(), timeline, subject));
            timeline.end(run, verdict);
            failed(verdict.asExpected() ? Exit.OK : Exit.NO);
        } catch (IllegalStateException | java.io.UncheckedIOException e) {
            timeline.failed(run, String.valueOf(e.getMessage()));
            failed(Exit.NO);
        } finally {
            cleanUp(venue, subject);
        }
    }

    /** Takes the value and its mark away from a store that may be the user's. */
    private static void cleanUp(Venue venue, String subject) {
        try {
            Actor.remove(venue.cast().workers().get(2), subject);
        } catch (IllegalStateException | java.io.UncheckedIOException e) {
            // the run has broken off and has said so
        }
    }
}
