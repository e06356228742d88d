package io.fencedlock;

import org.jspecify.annotations.Nullable;

/** Wrong configuration; nothing was tried. The message names what was given, what is allowed and what was found. */
public final class LockConfigurationException extends FencedLockException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message one sentence
     * @param cause what the driver said, or null
     */
    public LockConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
