package io.fencedlock.compliance.history;

/** What an event is about. */
public enum Action {
    /** A lock is asked for. */
    ACQUIRE,
    /** A lease is renewed on purpose. */
    RENEW,
    /** A lease is given back. */
    RELEASE,
    /** A write is sent to a resource. */
    WRITE,
    /** The resource decided on a write or an advance: its own record, in its own order. */
    APPLY,
    /** The holder was told that its lease is lost. */
    LOST,
    /** A fault that the run caused: begins with {@link Phase#INVOKE}, ends with {@link Phase#OK}. */
    FAULT,
    /** What was found on the server after all clients had closed. */
    RESIDUE
}
