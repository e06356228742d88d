package io.fencedlock;

/**
 * Text that must not be printed: a password. Its {@code toString} is {@code ***}. Immutable and thread-safe.
 *
 * @param value the clear text
 */
public record Secret(String value) {
    @Override
    public String toString() {
        return "***";
    }
}
