package io.fencedlock.compliance.history;

/** What a run may break on purpose. */
public enum Fault {
    /** A worker's process stands still; from the end of the fault it runs again. */
    PAUSE,
    /** A worker's process is gone for good. */
    KILL,
    /** A worker, or all, cannot reach the store. */
    CUT,
    /** The store loses entries: an eviction, a forced release, a restart without data, a failover. It has lost them by the fault's end. */
    DROP,
    /**
     * Two nodes may lead the store at once, since it elects without asking the old one; what one of them was told is lost by the fault's end. As
     * {@link #DROP}, and an answer is true of the node that gave it, which need not be the one that granted to somebody else.
     */
    SPLIT
}
