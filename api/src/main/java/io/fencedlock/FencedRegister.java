package io.fencedlock;

import java.util.Optional;

/**
 * Text values in a store, each guarded by a fence: a write is accepted if and only if {@linkplain FenceMark#admits the mark admits}
 * the token shown with it, and mark and value change in one atomic step.
 *
 * <p>The smallest useful resource that checks tokens, and the model for a resource of your own. A mark outlives locks. Guard a
 * resource by one lock name: tokens of different names do not compare. Thread-safe. Methods block for at most the command timeout
 * and throw {@link BackendUnavailableException} when nothing was changed, {@link OutcomeUnknownException} when it may have been;
 * repeating a write of the same holder is harmless.
 */
public interface FencedRegister extends AutoCloseable {

    /**
     * Opens a register in the store that a URL names.
     *
     * @param url as for {@link FencedLocks#connect(String)}
     * @return the register
     * @throws LockConfigurationException if the URL is wrong
     */
    static FencedRegister connect(String url) {
        return FencedLocks.configure().url(url).environment(System.getenv()).openRegister();
    }

    /**
     * Writes a value if the fence admits the mark, and raises the mark.
     *
     * @param resource the value's name, by the rules of {@link LockName}
     * @param mark the writer's, from {@link Lease#mark()}
     * @param value what to write
     * @throws StaleTokenException if refused; nothing was written
     */
    void write(String resource, FenceMark mark, String value);

    /**
     * Writes without asking the fence and leaves the mark alone. What a resource without a fence does: for showing the difference.
     *
     * @param resource the value's name
     * @param value what to write
     */
    void writeUnfenced(String resource, String value);

    /**
     * Reads a value.
     *
     * @param resource the value's name
     * @return the value, empty if there is none
     */
    Optional<String> read(String resource);

    /**
     * Raises the mark without a write (FEN-3). Called <em>before reading</em> what a write will be computed from, it closes the gap between
     * the grant and the first write, in which an older holder's write would still pass.
     *
     * @param resource the value's name
     * @param mark the holder's, from {@link Lease#mark()}
     * @throws StaleTokenException if the fence does not admit it
     */
    void advance(String resource, FenceMark mark);

    /**
     * The mark of a resource.
     *
     * @param resource the value's name
     * @return the highest mark accepted, empty if there was none
     */
    Optional<FenceMark> mark(String resource);

    /**
     * Removes a value and its mark. For tests and operators: a removed mark refuses nobody.
     *
     * @param resource the value's name
     */
    void remove(String resource);

    /** Closes the connection. Idempotent, never throws; values and marks stay. */
    @Override
    void close();
}
