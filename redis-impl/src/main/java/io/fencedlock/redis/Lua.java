package io.fencedlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A script: one atomic step on the server. */
interface Lua {

    String text();

    /** What the server knows it by once it has run it. */
    String sha1();

    /** Whether its answer says that it wrote what has to last. */
    default boolean wrote(List<Object> answer) {
        return false;
    }

    /** Puts a script together from resource files. */
    static String read(String... parts) {
        StringBuilder whole = new StringBuilder();
        for (String part : parts) {
            whole.append(file(part + ".lua"));
        }
        return whole.toString();
    }

    private static String file(String name) {
        try (InputStream in = Lua.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String digest(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
