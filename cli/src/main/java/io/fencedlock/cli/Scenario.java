package io.fencedlock.cli;

/** One timeline that can be replayed. Stateless. */
interface Scenario {

    /** As on the command line. */
    String name();

    /** One sentence for the list. */
    String summary();

    /** Plays it once. */
    Verdict play(Stage stage);
}
