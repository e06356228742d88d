package io.fencedlock.cli;

/** Where the events of replays go. */
interface Timeline {
    void begin(Run run, Scenario scenario);

    void step(Run run, Step step);

    void end(Run run, Verdict verdict);

    /** A run that broke off. */
    void failed(Run run, String sentence);
}
