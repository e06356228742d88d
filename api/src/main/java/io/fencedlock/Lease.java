package io.fencedlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The live handle on one grant; it ends by release, expiry or loss.
 *
 * <p>Why the token: a lease that expires cannot promise that only its holder works. The holder may pause (GC, a stopped process, a moved virtual
 * machine) past the expiry, the next holder gets the lock, and the first one wakes up and writes what it had computed before.
 *
 * <pre>
 *   A: acquire (token 33) ---- paused ................................ write with 33 -> refused
 *   B:                          acquire (token 34) -- write with 34 -> accepted
 *   resource:                                          mark 34          33 &lt; 34
 * </pre>
 *
 * <p>No lock can reach into a paused process; the resource can refuse. So pass {@link #token()} (or {@link #mark()}) with every write and
 * let the resource check it. {@link #isValid()} saves useless work; it protects nothing.
 *
 * <p>A handle, not a thread: any thread may use, renew or release it. Thread-safe. Not re-entrant.
 */
public interface Lease extends AutoCloseable {

    /**
     * What was granted. Constant, also after renewal, loss and release.
     *
     * @return the grant
     */
    Grant grant();

    /**
     * The fencing token. Constant, also after renewal, loss and release.
     *
     * @return positive
     */
    default long token() {
        return grant().token();
    }

    /**
     * What a fence wants to see.
     *
     * @return token and holder
     */
    default FenceMark mark() {
        return grant().mark();
    }

    /**
     * How long the lease is certainly held without further news from the backend. Never more than what the backend still holds;
     * does not ask it.
     *
     * @return zero if the lease is over
     */
    Duration remaining();

    /**
     * Whether the lease is certainly held right now. Local, does not ask the backend; false once it was lost or released.
     *
     * @return false if it is over or doubtful
     */
    boolean isValid();

    /**
     * Throws unless the lease is valid.
     *
     * @throws LeaseLostException if it was lost or is past its time
     * @throws IllegalStateException if it was released
     */
    void ensureValid();

    /**
     * Renews now and waits for the backend's word. For leases without automatic renewal, and to verify one before a costly step.
     *
     * @throws LeaseLostException if the lease is over; nothing resurrects it
     * @throws IllegalStateException if it was released
     * @throws BackendUnavailableException if the backend was not reached; the lease keeps its time
     * @throws OutcomeUnknownException if the answer was lost; the lease keeps at least its time
     * @throws InterruptedException if interrupted; the lease keeps at least its time
     */
    void renew() throws InterruptedException;

    /**
     * Renews without blocking.
     *
     * @return completes, on the library's executor, as {@link #renew()} returns or throws
     */
    CompletableFuture<Void> renewAsync();

    /**
     * Gives the lock back. Renewal ends before the request is sent. Works with the interrupt flag set and keeps it. A call after the
     * first one answers what the first one did.
     *
     * @return what was found; {@link Release#UNKNOWN} when the backend did not answer within the command timeout, and then the library
     *     goes on in the background until the lease is over
     */
    Release release();

    /**
     * Gives the lock back without blocking.
     *
     * @return completes, on the library's executor, as {@link #release()} returns; cancelling it changes nothing
     */
    CompletableFuture<Release> releaseAsync();

    /**
     * Tells of the loss: at most once, never after a release was asked for.
     *
     * @return completes with the reason, on the library's executor, when the lease is lost; stays open otherwise
     */
    CompletionStage<LossReason> lost();

    /**
     * Calls back at the loss: at most once per callback, on the library's executor, at once if it is lost already. A callback may
     * block: it delays nothing of the library's.
     *
     * @param callback what to do
     * @return this
     */
    default Lease onLost(Consumer<LossReason> callback) {
        lost().thenAccept(callback);
        return this;
    }

    /** {@link #release() Releases}, bounded in time; never throws, and logs what it found unless that is RELEASED. Idempotent. */
    @Override
    void close();
}
