package io.fencedlock;

import java.util.Map;
import java.util.Optional;

/**
 * The client: gives out locks by name, on the backend that its configuration names. One per process and store is enough. Thread-safe.
 *
 * <p>Opening it checks the configuration and does not wait for the network: the backend connects in the background, a call made
 * before it could is a {@link BackendUnavailableException}, and it reconnects by itself. Of all acquisitions that are begun at once, 512 ask the store at a
 * time; the others wait for their turn, and one whose time ends before it is a {@code BackendUnavailableException} as well.
 */
public interface FencedLocks extends AutoCloseable {

    /**
     * Opens a client.
     *
     * @param url {@code scheme://[user:password@]host:port[,host:port…][/path][?option=value…]}, credentials percent-encoded; what it leaves
     *     open is read from the environment ({@code FENCEDLOCK_LEASE}, …), then from the defaults
     * @return the client
     * @throws LockConfigurationException if the configuration is wrong; nothing was opened
     */
    static FencedLocks connect(String url) {
        return configure().url(url).environment(System.getenv()).connect();
    }

    /**
     * Opens a client from {@code fencedlock.url} and the other {@code fencedlock.<option>} entries; other entries are ignored.
     *
     * @param properties {@link java.util.Properties} or any map with text keys and values
     * @return the client
     * @throws LockConfigurationException if the configuration is wrong; nothing was opened
     */
    static FencedLocks connect(Map<?, ?> properties) {
        return configure().properties(properties).environment(System.getenv()).connect();
    }

    /**
     * Begins a client whose configuration is put together by the program.
     *
     * @return a builder that has nothing set; it reads neither environment nor properties unless told
     */
    static FencedLocksBuilder configure() {
        return new FencedLocksBuilder();
    }

    /**
     * A lock with the client's options.
     *
     * @param name its name, by the rules of {@link LockName}
     * @return the lock; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    FencedLock get(String name);

    /**
     * A lock with options of its own.
     *
     * @param name its name, by the rules of {@link LockName}
     * @param options how its leases live
     * @return the lock; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule, or the lease time is below the backend's smallest
     */
    FencedLock get(String name, LockOptions options);

    /**
     * The options of locks that set none of their own.
     *
     * @return from the configuration
     */
    LockOptions options();

    /**
     * Tells who holds a lock.
     *
     * @param name the lock
     * @return the holder, empty if the lock is free
     * @throws BackendUnavailableException if the backend was not reached
     * @throws InterruptedException if interrupted
     */
    Optional<HolderInfo> inspect(String name) throws InterruptedException;

    /**
     * Removes the entry that holds a lock with exactly this token, for operators. Its holder is told of the loss.
     *
     * @param name the lock
     * @param token the token observed by {@link #inspect}
     * @return {@link Release#RELEASED}, or {@link Release#NOT_HELD} if the lock is free or held with another token
     * @throws BackendUnavailableException if the backend was not reached
     * @throws OutcomeUnknownException if the answer was lost
     * @throws InterruptedException if interrupted
     */
    Release forceRelease(String name, long token) throws InterruptedException;

    /**
     * Sees to it that every later token is above a number, for operators: after the store lost its data.
     *
     * @param floor the number
     * @throws IllegalArgumentException if it is not positive, or above 2^62
     * @throws UnsupportedOperationException if tokens are numbers of the store's own, which cannot be raised
     * @throws BackendUnavailableException if the backend was not reached
     * @throws OutcomeUnknownException if the answer was lost
     * @throws InterruptedException if interrupted
     */
    void raiseTokens(long floor) throws InterruptedException;

    /**
     * What the backend promises.
     *
     * @return the profile
     */
    BackendProfile profile();

    /**
     * Fails every pending call with {@link IllegalStateException}, gives back every held lock, closes the backend, ends all threads. Bounded by
     * twice the command timeout plus one second; never throws; idempotent.
     */
    @Override
    void close();
}
