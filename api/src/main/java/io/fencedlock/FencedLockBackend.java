package io.fencedlock;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What a store has to do to carry locks: one atomic try, renew, release, abandon, inspect.
 *
 * <p>Waiting, deadlines, retries, the undoing of unknown outcomes, renewal and loss are the engine's. All methods are thread-safe, return at
 * once and never block. A stage completes exceptionally in two ways only: {@link BackendUnavailableException}, the request had
 * no effect, and {@link OutcomeUnknownException}, it may have happened. (The engine takes any other exception, and silence
 * beyond the command timeout, as an unknown outcome.) Stages may complete on a driver's thread: the engine runs no user code
 * there. A backend that is not connected yet, or not any more, connects by itself in the background and fails calls meanwhile;
 * its constructor does not block on the network.
 */
public interface FencedLockBackend extends AutoCloseable {

    /**
     * Tries once, atomically. Repeatable: the same holder asking again gets the same grant if it has one (TOK-8), keeps its place
     * if it queues, and is never granted twice.
     *
     * @param request what is asked for
     * @return granted or held
     */
    CompletionStage<Attempt> acquire(AcquireRequest request);

    /**
     * Renews this very acquisition for its {@link Grant#leaseTime() lease time}, or, where a session keeps the entry alive, checks that it
     * still stands. Never creates an entry.
     *
     * @param grant whose entry
     * @return renewed, or not held
     */
    CompletionStage<Renewal> renew(Grant grant);

    /**
     * Removes this very acquisition's entry, and nobody else's, and wakes the next waiter.
     *
     * @param grant whose entry
     * @return what was found; {@link Release#UNKNOWN} only from the engine, a backend reports a lost answer as {@link
     *     OutcomeUnknownException}
     */
    CompletionStage<Release> release(Grant grant);

    /**
     * Undoes an attempt: removes whatever the holder has, an entry, a place in the queue, a subscription, and sees to it that a
     * request of this holder that is still on its way grants nothing for good. Does nothing for an unknown holder. The engine
     * repeats it until it succeeds.
     *
     * @param name the lock
     * @param holder whose attempt
     * @return completes when it is undone on the server
     */
    CompletionStage<Void> abandon(LockName name, HolderId holder);

    /**
     * Tells who holds a lock, as far as the store knows.
     *
     * @param name the lock
     * @return the holder, empty if the lock is free
     */
    CompletionStage<Optional<HolderInfo>> inspect(LockName name);

    /**
     * Removes the entry that holds the lock with exactly this token, for operators. No other acquisition is touched.
     *
     * @param name the lock
     * @param token the token observed, from {@link #inspect}
     * @return {@link Release#RELEASED} or {@link Release#NOT_HELD}
     */
    CompletionStage<Release> forceRelease(LockName name, long token);

    /**
     * Sees to it that every later token is above a number, for operators: after the store lost its data, or before moving from another
     * one.
     *
     * @param floor the number
     * @return completes when it is so on the server; with {@link UnsupportedOperationException} if tokens are numbers of the store's own
     */
    CompletionStage<Void> raiseTokens(long floor);

    /**
     * What this backend promises. Never blocks; constant but for what only a connected server can tell.
     *
     * @return the profile
     */
    BackendProfile profile();

    /**
     * Ends everything: pending stages fail, sessions end on the server where it can be reached, threads stop. Idempotent, bounded
     * by the command timeout and a little, never throws.
     */
    @Override
    void close();
}
