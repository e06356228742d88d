package io.fencedlock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The answer to one try to acquire. */
public sealed interface Attempt {

    /**
     * The holder has the lock.
     *
     * @param grant the grant: the same one, however often the same holder asks
     * @param liveness who keeps it alive
     */
    record Granted(Grant grant, Liveness liveness) implements Attempt {}

    /**
     * Somebody else has the lock, or stands before us in the backend's queue. The engine waits for the first of the two hints, asks
     * again with the same holder, and calls {@link FencedLockBackend#abandon} when it gives up.
     *
     * @param recheck when it is worth asking again though nothing was heard: at most the profile's {@link
     *     BackendProfile#recheck() re-check time}, earlier when the present lease ends earlier
     * @param changed completes, normally or not, when it is worth asking again now; it was subscribed <em>before</em> the store was
     *     asked, so that no change falls between. A hint: it may come for nothing. A new stage for each answer; a backend without
     *     news of its own gives a stage that never completes
     */
    record Held(Duration recheck, CompletionStage<?> changed) implements Attempt {}
}
