package io.fencedlock;

import org.jspecify.annotations.Nullable;

/** The backend could not be reached or refused to serve, and the request had no effect. Retry freely. */
public final class BackendUnavailableException extends FencedLockException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message one sentence
     * @param cause what the driver said, or null
     */
    public BackendUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
