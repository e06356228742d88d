package io.fencedlock.etcd;

/** Where tokens come from: the option {@code tokens}. */
enum TokenSource {
    /** The base, a clock in microseconds when it was made, plus the entry's create revision. */
    CLOCK,
    /** The entry's create revision alone, as in the textbook; it starts again when etcd lost its data. */
    REVISION
}
