package io.fencedlock.cli.replay;

/** What is written in a scenario. */
enum Resource {
    /** A value in the lock's own store, behind that store's fence. */
    STORE,
    /** Rows in a database apart, which keeps what the lock's store loses. */
    DATABASE
}
