package io.fencedlock.cli.replay;

import java.util.List;

/** One timeline that can be replayed. Stateless. */
interface Scenario {

    /** As on the command line. */
    String name();

    /** One sentence for the list. */
    String summary();

    /** Its runs: whether the resource checks tokens. */
    default List<Boolean> fencing() {
        return List.of(false, true);
    }

    default Needs needs() {
        return Needs.NOTHING;
    }

    default Resource resource() {
        return Resource.STORE;
    }

    /** Plays it once. */
    Verdict play(Stage stage);
}
