package io.fencedlock.compliance.history;

/** Where in its operation an event stands. */
public enum Phase {
    /** Before the call, or the begin of a fault. */
    INVOKE,
    /** The call did what was asked. */
    OK,
    /** The call did certainly not do it: the lock is held, the write was refused, the renewal found nothing. */
    FAIL,
    /** Nobody can say: it may take effect at any later time. */
    UNKNOWN
}
