package io.fencedlock.cli;

import java.util.List;
import java.util.Optional;

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

    /** Why it cannot be played by this version, in one sentence. */
    default Optional<String> notBuilt() {
        return Optional.empty();
    }

    /** Plays it once. */
    Verdict play(Stage stage);
}
