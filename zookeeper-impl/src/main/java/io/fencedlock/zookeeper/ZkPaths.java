package io.fencedlock.zookeeper;

import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where things stand under the user's prefix: storage format 1.
 *
 * <p>{@code locks/<stripe>/<hash of the name>-<holder>-<sequence>} are the contenders, {@code base} lifts zxids into the token space, {@code
 * sessions} has the clients' heartbeat nodes, {@code registers} the fenced values. The number of stripes is a constant of the format, never an
 * option: two clients that disagree would lock one name twice.
 */
final class ZkPaths {

    private static final int STRIPES = 1024;
    private static final int STRIPES_PER_PART = 100;
    private static final int HASH_DIGITS = 32;
    private static final int HOLDER_DIGITS = 32;
    private static final int SEQUENCE_AT = HASH_DIGITS + 1 + HOLDER_DIGITS + 1;

    private static final int SEQUENCE_DIGITS = 10;
    private static final String DECIMAL = "0123456789";
    private static final String HEX = DECIMAL + "abcdef";

    private final String root;

    ZkPaths(String prefix) {
        root = "/" + prefix + "/v1";
    }

    String base() {
        return root + "/base";
    }

    String locks() {
        return root + "/locks";
    }

    /** Beginnings of the stripes' paths that together have them all, so that a list of many contenders comes in pieces. */
    List<String> parts() {
        return IntStream.rangeClosed(0, STRIPES / STRIPES_PER_PART)
                .mapToObj(part -> locks() + "/" + String.format("%02d", part))
                .toList();
    }

    String sessions() {
        return root + "/sessions";
    }

    String heartbeat(HolderId client) {
        return sessions() + "/" + client;
    }

    String register(String resource) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : resource.getBytes(StandardCharsets.UTF_8)) {
            boolean plain =
                    (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '-' || b == '_';
            encoded.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b));
        }
        return registers() + "/" + encoded;
    }

    /** The parent of all marks, each with the value of a register if there is one. */
    String registers() {
        return root + "/registers";
    }

    /** Whose mark a node is. */
    static String resource(String path) {
        String encoded = child(path);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < encoded.length(); i++) {
            if (encoded.charAt(i) == '%') {
                bytes.write(HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            } else {
                bytes.write(encoded.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    String stripe(LockName name) {
        int number = Integer.parseInt(hash(name).substring(0, 4), 16) % STRIPES;
        return locks() + "/" + Integer.toString(10_000 + number).substring(1);
    }

    /** What a contender's node in its stripe is called before the server appends the sequence number. */
    static String contender(String stripe, LockName name, HolderId holder) {
        return stripe + "/" + hash(name) + "-" + holder + "-";
    }

    static String hash(LockName name) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(name.value().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The contender's node name, without its parent. */
    static String child(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** Whatever else somebody may have put under a stripe is left alone. Asked of each child of a stripe: a pattern would take ten times as long. */
    static boolean isContender(String child) {
        return child.length() > SEQUENCE_AT
                && isAll(HEX, child, 0, HASH_DIGITS)
                && child.charAt(HASH_DIGITS) == '-'
                && isAll(HEX, child, HASH_DIGITS + 1, SEQUENCE_AT - 1)
                && child.charAt(SEQUENCE_AT - 1) == '-'
                && isSequence(child);
    }

    /** Filled up to ten characters; those behind a counter's overflow are negative. */
    private static boolean isSequence(String child) {
        boolean negative = child.charAt(SEQUENCE_AT) == '-';
        int from = negative ? SEQUENCE_AT + 1 : SEQUENCE_AT;
        int digits = child.length() - from;
        return (digits == SEQUENCE_DIGITS || (negative && digits == SEQUENCE_DIGITS - 1))
                && isAll(DECIMAL, child, from, child.length());
    }

    private static boolean isAll(String digits, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (digits.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    static HolderId holderOf(String child) {
        return new HolderId(child.substring(HASH_DIGITS + 1, SEQUENCE_AT - 1));
    }

    static int sequenceOf(String child) {
        return Integer.parseInt(child, SEQUENCE_AT, child.length(), 10);
    }
}
