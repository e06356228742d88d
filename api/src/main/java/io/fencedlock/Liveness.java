package io.fencedlock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Who keeps a granted lease alive, and until when it is valid without further news. */
public sealed interface Liveness {

    /**
     * The entry has its own time to live; the engine renews it by {@link FencedLockBackend#renew}.
     *
     * @param validFor how long the engine may take the lease as valid, counted from the moment before {@link
     *     FencedLockBackend#acquire} was called; already reduced by the backend's allowance for clock drift
     */
    record Timed(Duration validFor) implements Liveness {}

    /**
     * The entry lives on a session that the backend keeps alive by itself; the engine asks it instead of renewing. All methods
     * are thread-safe and never block.
     */
    non-sealed interface Session extends Liveness {

        /**
         * Until when the session certainly lives on the server if nothing more is heard: a reading of the {@link LockClock} that
         * the backend was opened with, taken before the last acknowledged request was sent, plus the session's time, less
         * the allowance.
         *
         * @return nanoseconds of the clock; grows while the session is kept alive
         */
        long validUntilNanos();

        /**
         * How long the entry outlives its process.
         *
         * @return the session's time as granted by the server
         */
        Duration timeout();

        /**
         * Tells that this entry is gone: dropped by the store or with its session. Completes normally, at most once, and never
         * for a clean release.
         *
         * @return the signal; stays open while the entry stands
         */
        CompletionStage<LossReason> lost();
    }
}
