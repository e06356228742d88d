package io.fencedlock;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Who holds a lock: a random id of 128 bits, new for every acquisition, never a thread or a process.
 *
 * <p>It makes an acquisition repeatable (the same holder asks again and gets the same grant) and a release safe (only
 * the own entry is touched). Immutable and thread-safe.
 *
 * @param value 32 lower-case hexadecimal digits
 */
public record HolderId(String value) {

    private static final int DIGITS = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Checks the id.
     *
     * @throws IllegalArgumentException if it is not 32 lower-case hexadecimal digits
     */
    public HolderId {
        if (value.length() != DIGITS || !isLowerHex(value)) {
            throw new IllegalArgumentException(
                    "a holder id has " + DIGITS + " lower-case hexadecimal digits, found \"" + value + "\"");
        }
    }

    /**
     * Makes a new id.
     *
     * @return an id that nobody else has
     */
    public static HolderId random() {
        byte[] bits = new byte[DIGITS / 2];
        RANDOM.nextBytes(bits);
        return new HolderId(HexFormat.of().formatHex(bits));
    }

    private static boolean isLowerHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return value;
    }
}
