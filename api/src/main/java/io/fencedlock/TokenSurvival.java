package io.fencedlock;

/** What the order of tokens survives: after it, the next token is still larger than every earlier one (TOK-6). */
public enum TokenSurvival {
    /** The client process ends and another one asks. */
    CLIENT_RESTART,
    /** The server stops, by kill as well, and starts with its data. */
    SERVER_RESTART,
    /** The counter, or the parent node, from which tokens are made is deleted or evicted. */
    COUNTER_LOSS,
    /** The server starts again without its data. */
    DATA_LOSS,
    /** A replica that had not seen the last writes is promoted. */
    LOST_WRITE_FAILOVER,
    /** The user changes the backend by configuration. */
    BACKEND_CHANGE
}
