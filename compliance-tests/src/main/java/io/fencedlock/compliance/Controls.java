package io.fencedlock.compliance;

import io.fencedlock.FencedLocks;
import java.time.Duration;

/**
 * The hooks by which the suite breaks things on purpose. A target overrides what it can do; a hook that it has not makes the rules that
 * need it NOT_RUN. A hook that can make no sense for the target throws {@link NotApplicable}: the rule is SKIPPED with its reason. Hooks
 * return when the change is in effect, and whatever is broken is healed when the test ends.
 */
public interface Controls extends AutoCloseable {

    /** No hook at all. */
    Controls NONE = new Controls() {};

    /**
     * Starts a holder in a process of its own.
     *
     * @param lease the default lease time of its client
     * @return the process, closed by the suite
     */
    default HolderProcess startHolder(Duration lease) {
        throw new ControlMissing("start a holder in a process of its own");
    }

    /**
     * Opens a client of a server that does not exist: nothing listens at its address.
     *
     * @param lease the default lease time
     * @return the client, closed by the suite
     */
    default FencedLocks openUnreachable(Duration lease) {
        throw new ControlMissing("open a client whose server does not exist");
    }

    /**
     * Opens a client whose connections {@link #stall}, {@link #kill} and {@link #loseNextReply} can break.
     *
     * @param lease the default lease time
     * @return the client, closed by the suite
     */
    default FencedLocks openBreakable(Duration lease) {
        throw new ControlMissing("break a client's connection");
    }

    /**
     * Lets nothing through between a client and the server, in either direction, while connections stay open.
     *
     * @param client one from {@link #openBreakable}
     */
    default void stall(FencedLocks client) {
        throw new ControlMissing("stall a client's connection");
    }

    /**
     * Ends {@link #stall}.
     *
     * @param client one from {@link #openBreakable}
     */
    default void heal(FencedLocks client) {
        throw new ControlMissing("heal a client's connection");
    }

    /**
     * Closes all connections of a client; it may connect again at once.
     *
     * @param client one from {@link #openBreakable}
     */
    default void kill(FencedLocks client) {
        throw new ControlMissing("kill a client's connections");
    }

    /**
     * Swallows the reply to the client's next request and closes the connection; the request takes effect.
     *
     * @param client one from {@link #openBreakable}
     */
    default void loseNextReply(FencedLocks client) {
        throw new ControlMissing("lose a reply");
    }

    /**
     * Stops the server by force and starts it.
     *
     * @param keepData whether it finds its data again
     */
    default void restartServer(boolean keepData) {
        throw new ControlMissing("restart the server " + (keepData ? "with" : "without") + " its data");
    }

    /**
     * Lets the leader's writes reach its replicas no more, until {@link #failOver}, where the store confirms writes without them. Where a
     * majority has to confirm them, one of the others may fall behind.
     */
    default void holdReplication() {}

    /** Ends the leader by force and lets a replica lead: one that has not seen the writes since {@link #holdReplication}, if that can be. */
    default void failOver() {
        throw new ControlMissing("fail over to a replica that lost the last writes");
    }

    /** Makes the store whole again after {@link #holdReplication}, {@link #failOver} or {@link #restartServer}. Called after each rule that used one. */
    default void mend() {}

    /** Deletes the counter, or the parent nodes, from which tokens are made, while no lock is held. */
    default void loseCounter() {
        throw new ControlMissing("delete the counter that tokens are made from");
    }

    /**
     * Steps the wall clock that the store uses.
     *
     * @param by how far, negative for back
     */
    default void stepClock(Duration by) {
        throw new ControlMissing("step the server's wall clock");
    }

    /**
     * Counts what is on the server.
     *
     * @return the number of entries of any kind that clients of this library have made, the marks and values of registers apart
     */
    default long entries() {
        throw new ControlMissing("count the entries on the server");
    }

    /**
     * Whether the store is thrown away after the run, so that numbers in it may be raised at will.
     *
     * @return false unless it is
     */
    default boolean disposable() {
        return false;
    }

    /** Closes what the hooks need, when the run has ended and all its clients are closed. */
    @Override
    default void close() {}
}
