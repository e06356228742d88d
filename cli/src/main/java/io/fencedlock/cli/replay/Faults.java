package io.fencedlock.cli.replay;

import java.util.concurrent.CompletableFuture;

/** What scenarios do to a store and to the network before it. Only what {@link Venue#lacks} does not name can be called. */
interface Faults {
    /** Nothing can be done. */
    Faults NONE = new Faults() {};

    /** Lets nothing through between worker-A and the store; the connections stay open. */
    default void cutOffA() {
        throw new UnsupportedOperationException();
    }

    /** Loses the reply to worker-A's next request that contains a text. Completes when the request is on its way to the store. */
    default CompletableFuture<Void> loseReplyToA(String containing) {
        throw new UnsupportedOperationException();
    }

    /** Breaks worker-A's connections; it can make new ones. */
    default void breakConnectionsOfA() {
        throw new UnsupportedOperationException();
    }

    /** Deletes the library's locks and what its tokens come from. */
    default void deleteCounters() {
        throw new UnsupportedOperationException();
    }

    /** Kills the server and starts it without its data. */
    default void restartEmpty() {
        throw new UnsupportedOperationException();
    }

    /** Whether a failover of this store loses what was written last. */
    default boolean losesLastWrites() {
        throw new UnsupportedOperationException();
    }

    /** From now on the leader's writes reach its replicas no more, where the store confirms writes without them. */
    default void holdReplication() {
        throw new UnsupportedOperationException();
    }

    /** Kills the leader; returns when another node leads. */
    default void failOver() {
        throw new UnsupportedOperationException();
    }

    /** One of several independent nodes loses all its data. */
    default void wipeOneNode() {
        throw new UnsupportedOperationException();
    }

    /** The clocks of a majority of independent nodes jump past all leases; answers what was done, in words. */
    default String jumpClocks() {
        throw new UnsupportedOperationException();
    }

    /** Ends what was done, as far as it has an end. */
    default void heal() {}
}
