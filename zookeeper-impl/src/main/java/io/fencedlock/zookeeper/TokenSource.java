package io.fencedlock.zookeeper;

/** Where tokens come from. */
enum TokenSource {
    /** The creation zxid, lifted by the base: the one token space of all backends. */
    DEFAULT,
    /** The bare creation zxid. */
    ZXID,
    /** The znode's sequence number plus one, as in the textbook. */
    SEQUENCE
}
