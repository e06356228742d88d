package io.fencedlock.zookeeper;

/** Where tokens come from. */
enum TokenSource {
    /** The creation zxid, lifted by the base, a clock in microseconds: the one token space of all backends. */
    CLOCK,
    /** The bare creation zxid. */
    ZXID,
    /** The znode's sequence number plus one, as in the textbook. */
    SEQUENCE
}
