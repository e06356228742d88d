package io.fencedlock.torture;

import io.fencedlock.TokenSurvival;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A way to break things.
 *
 * @param name how it is called on the command line
 * @param summary one sentence
 * @param target what it breaks; faults of different targets are combined
 * @param fits which stores it makes sense for
 * @param obstacle why it cannot be had here, if so; asked only where it makes sense
 * @param attacks what the order of tokens has to survive, where the profile declares that it does; null if nothing beyond the ordinary
 * @param deed how
 */
record Nemesis(
        String name,
        String summary,
        Target target,
        Predicate<Arena> fits,
        Function<Arena, Optional<String>> obstacle,
        @Nullable TokenSurvival attacks,
        Deed deed) {

    /** One that can always be had. */
    Nemesis(
            String name,
            String summary,
            Target target,
            Predicate<Arena> fits,
            @Nullable TokenSurvival attacks,
            Deed deed) {
        this(name, summary, target, fits, arena -> Optional.empty(), attacks, deed);
    }

    /**
     * What is broken, in the order in which faults are combined: what looks into the store comes while it answers, and a failover while those who elect
     * reach the nodes.
     */
    enum Target {
        STORE,
        SERVER,
        NETWORK,
        WORKER
    }

    /** Breaks something. */
    interface Deed {
        /** Returns when it is broken, with what heals it. */
        Healing inflict(Scene scene) throws InterruptedException;
    }

    /** Heals it. Does not wait until the store is whole again: other faults may be at work that have to be healed as well. */
    interface Healing {
        void heal() throws InterruptedException;
    }
}
