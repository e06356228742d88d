package io.fencedlock;

import java.nio.charset.StandardCharsets;

/**
 * The name of a lock: the same rules on every backend, checked once, before any request is sent.
 *
 * <p>A name is not blank, has at most {@value #MAX_BYTES} UTF-8 bytes, no control characters and no lone surrogates.
 * It is never normalised: two names are one lock if and only if they are the same sequence of characters. Immutable
 * and thread-safe.
 *
 * @param value the name as the user wrote it
 */
public record LockName(String value) {

    /** The longest name, in UTF-8 bytes. */
    public static final int MAX_BYTES = 512;

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name breaks a rule; the message says which, and where
     */
    public LockName {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a lock name must not be blank, found \"" + escape(value) + "\"");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                throw refused(value, "a control character", i);
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw refused(value, "a lone surrogate", i);
            }
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("a lock name may have at most " + MAX_BYTES + " UTF-8 bytes, found "
                    + bytes + " in \"" + value.substring(0, 32) + "…\"");
        }
    }

    private static IllegalArgumentException refused(String value, String what, int at) {
        return new IllegalArgumentException("a lock name must not contain " + what + ", found \\u"
                + String.format("%04x", (int) value.charAt(at)) + " at index " + at + " of \"" + escape(value) + "\"");
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean shown = !Character.isISOControl(c) && !Character.isSurrogate(c);
            escaped.append(shown ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return escaped.toString();
    }

    @Override
    public String toString() {
        return value;
    }
}
