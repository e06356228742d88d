package io.fencedlock.cli.replay;

import java.util.List;

/** Where the events of replays go. */
interface Timeline {
    void begin(Run run, Scenario scenario);

    void step(Run run, Step step);

    void end(Run run, Verdict verdict);

    /** A run that broke off. */
    void failed(Run run, String sentence);

    /** A scenario that is not played on a backend, and why. */
    default void notPlayed(String scenario, String backend, String sentence) {}

    /** The end of it all. */
    default void sumUp(List<Outcome> outcomes) {}
}
