package io.fencedlock.servers;

/** One way to a server does not lead to one here; the message says why, as the end of a sentence. */
final class NotHere extends Exception {
    private static final long serialVersionUID = 1;

    NotHere(String reason) {
        super(reason);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
