package io.fencedlock;

import org.jspecify.annotations.Nullable;

/**
 * What can go wrong with a lock. The subclass answers two questions: did it happen, and may I retry?
 *
 * <p>A lock that somebody else holds is not an exception but an empty {@link java.util.Optional}; interruption is always
 * {@link InterruptedException}; programming errors stay JDK types.
 */
public abstract sealed class FencedLockException extends RuntimeException
        permits BackendUnavailableException,
                OutcomeUnknownException,
                LeaseLostException,
                StaleTokenException,
                LockConfigurationException {

    private static final long serialVersionUID = 1L;

    FencedLockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
