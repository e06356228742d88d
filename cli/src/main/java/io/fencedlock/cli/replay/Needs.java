package io.fencedlock.cli.replay;

/** What a scenario has to be able to do to the store of the lock, beyond using it. */
enum Needs {
    NOTHING,
    /** Take locks with the bare driver, as articles show it. */
    ARTICLE_LOCK,
    /** Cut worker-A off from the store; harms nobody else. */
    CUT,
    /** Delete what the library keeps in the store. */
    DELETE,
    /** Restart the server without its data. */
    RESTART,
    /** Three nodes, of which the leader is killed. */
    CLUSTER,
    /** Five Redis nodes that know nothing of each other. */
    REDLOCK
}
