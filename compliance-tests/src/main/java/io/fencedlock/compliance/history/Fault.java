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
    DROP
}
