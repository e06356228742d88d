package io.fencedlock.servers;

/** No server could be had: the message says what was looked for and how to provide one. Nothing is left running. */
public final class ServerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ServerUnavailableException(String message) {
        super(message);
    }

    ServerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
