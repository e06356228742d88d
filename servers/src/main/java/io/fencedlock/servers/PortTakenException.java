package io.fencedlock.servers;

/** The server ended, and something else listens on the port that was meant for it. */
final class PortTakenException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    PortTakenException(String message) {
        super(message);
    }
}
