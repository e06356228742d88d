package io.fencedlock;

import org.jspecify.annotations.Nullable;

/** The request may or may not have happened: its answer was lost. The library goes on trying to undo it; ask again later. */
public final class OutcomeUnknownException extends FencedLockException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message one sentence
     * @param cause what the driver said, or null
     */
    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
