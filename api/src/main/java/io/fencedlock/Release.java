package io.fencedlock;

/** What a release did. */
public enum Release {
    /** The entry of this very acquisition was there and is gone now. */
    RELEASED,
    /** The entry was gone already: the lease had ended before. Nobody else was touched. */
    NOT_HELD,
    /**
     * The request was sent more than once, or its answer was lost: the entry is or will be gone (at the latest when the lease
     * ends), but whether this call removed it cannot be said.
     */
    UNKNOWN
}
