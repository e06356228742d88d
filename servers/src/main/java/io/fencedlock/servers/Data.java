package io.fencedlock.servers;

/** What becomes of a server's data when it is started again. */
public enum Data {
    /** The server finds what it had written. */
    KEEP,
    /** The server starts empty, as after the loss of its disk. */
    WIPE
}
