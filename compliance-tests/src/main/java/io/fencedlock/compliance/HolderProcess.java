package io.fencedlock.compliance;

import io.fencedlock.FenceMark;

/**
 * A holder of locks in a process of its own, which can be paused and killed. Targets made from a URL have one.
 * Methods block for the time of the request at most.
 */
public interface HolderProcess extends AutoCloseable {

    /**
     * Acquires a lock and keeps it, renewed.
     *
     * @param lock the name; the lock is free
     * @return what was granted
     */
    FenceMark acquire(String lock);

    /**
     * Begins to wait for a lock that somebody holds, and returns when the request is on its way.
     *
     * @param lock the name
     */
    void startWaiting(String lock);

    /**
     * Writes to the fenced register of the target's store with the mark of the last acquisition.
     *
     * @param resource the value's name
     * @param value what to write
     * @return whether the fence accepted it
     */
    boolean write(String resource, String value);

    /**
     * Asks the holder's lease.
     *
     * @return whether it takes itself as valid
     */
    boolean isValid();

    /**
     * Asks whether the holder was told.
     *
     * @return how often the loss was told
     */
    int lossesTold();

    /** Stops the process as SIGSTOP does. */
    void pause();

    /** Lets a paused process go on. */
    void resume();

    /** Ends the process as SIGKILL does. */
    void kill();

    /** Ends the process; idempotent, never throws. */
    @Override
    void close();
}
