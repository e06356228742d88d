package io.fencedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The fences of one store: for each resource the highest mark accepted. What all fences have in common; how a write is checked is the
 * matter of each store's own class, which makes check and write one atomic step: {@code RedisFence}, {@code EtcdFence}, {@code
 * ZooKeeperFence}, {@link MemoryFence}. (A SQL database's is {@code JdbcFence}, whose methods take a connection.)
 *
 * <p>A mark is kept for each resource ever fenced; it outlives locks and clients. Guard a resource by one lock name: tokens of different names
 * do not compare. Resources are named by the rules of {@link LockName}; a name that breaks them is an {@link IllegalArgumentException}. A {@link
 * FencedRegister} of the same store and prefix keeps its marks here, too.
 *
 * <p>Thread-safe. Methods block, each request for at most the command timeout, and throw {@link BackendUnavailableException} when nothing was changed,
 * {@link OutcomeUnknownException} when it may have been; every method may be repeated. No argument may be null.
 */
public interface Fence extends AutoCloseable {

    /**
     * Opens the fences in the store that a URL names.
     *
     * @param url as for {@link FencedLocks#connect(String)}
     * @return the fence
     * @throws LockConfigurationException if the URL is wrong, or the store has no fence of its own
     */
    static Fence connect(String url) {
        return FencedLocks.configure().url(url).environment(System.getenv()).openFence();
    }

    /**
     * Raises the mark without a write; see {@link #advance(String, FenceMark)}.
     *
     * @param resource what will be written
     * @param lease the holder's
     * @throws StaleTokenException if a newer token was accepted before
     */
    default void advance(String resource, Lease lease) {
        advance(resource, lease.mark());
    }

    /**
     * Raises the mark without a write (FEN-3). Called <em>before reading</em> what a write will be computed from, it closes the gap between
     * the grant and the first write, in which an older holder's write would still pass.
     *
     * @param resource what will be written
     * @param mark the holder's, from {@link Lease#mark()}
     * @throws StaleTokenException if a newer token was accepted before
     */
    void advance(String resource, FenceMark mark);

    /**
     * Raises the mark for an operator: afterwards only tokens above the number pass, whoever their holder is. A higher mark stays as it
     * is. For a lock whose store lost its counter, and to shut out everybody up to a token.
     *
     * @param resource what is guarded
     * @param token positive
     * @return the mark afterwards
     */
    FenceMark raise(String resource, long token);

    /**
     * The mark of a resource.
     *
     * @param resource what is guarded
     * @return the highest mark accepted, empty if there was none
     */
    Optional<FenceMark> mark(String resource);

    /**
     * Tells of every mark that is there from beginning to end of the call, once each, in no certain order; of one that comes or goes
     * meanwhile perhaps. Reads in pages; on Redis that looks at every key of the server.
     *
     * @param action what to do with each, on the calling thread; what it throws ends the call
     */
    void forEachMark(Consumer<MarkInfo> action);

    /**
     * Deletes the marks that were not used for a time (FEN-5). A resource without a mark refuses nobody: choose the time longer than any
     * holder can possibly pause and still wake up, days rather than minutes.
     *
     * @param unusedFor at least 1 s; fractions of a second are rounded up
     * @return how many were deleted
     */
    long expire(Duration unusedFor);

    /**
     * Deletes a resource's mark. For tests and operators: a removed mark refuses nobody.
     *
     * @param resource what is guarded
     * @return whether there was one
     */
    boolean remove(String resource);

    /** Closes the connection if the fence opened it. Idempotent, never throws; marks stay. */
    @Override
    void close();
}
