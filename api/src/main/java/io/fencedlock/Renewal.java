package io.fencedlock;

import java.time.Duration;

/** What a renewal found. */
public sealed interface Renewal {

    /**
     * The entry is held and its time starts anew.
     *
     * @param validFor how long the engine may take the lease as valid, counted from the moment before {@link
     *     FencedLockBackend#renew} was called; already reduced by the backend's
     *     allowance for clock drift. On a session the session's own time counts instead
     */
    record Renewed(Duration validFor) implements Renewal {}

    /** The backend does not have this acquisition's entry; nothing was changed. */
    record NotHeld() implements Renewal {}
}
