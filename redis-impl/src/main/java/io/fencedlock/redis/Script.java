package io.fencedlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The Lua scripts: resource files, put together from their parts once. Each is one atomic step on the server. */
enum Script {
    ACQUIRE("token", "acquire"),
    RENEW("renew"),
    RELEASE("token", "pass-on", "release"),
    ABANDON("token", "pass-on", "abandon"),
    INSPECT("inspect"),
    RAISE("token", "raise"),
    REGISTER_WRITE("fence", "register-write"),
    REGISTER_PUT("register-put"),
    REGISTER_READ("register-read"),
    REGISTER_REMOVE("register-remove");

    private final String text;
    private final String sha1;

    Script(String... parts) {
        StringBuilder whole = new StringBuilder();
        for (String part : parts) {
            whole.append(read(part + ".lua"));
        }
        text = whole.toString();
        sha1 = digest(text);
    }

    String text() {
        return text;
    }

    /** What the server knows it by once it has run it. */
    String sha1() {
        return sha1;
    }

    /** Whether its answer says that it wrote what has to last: a grant or a renewal. */
    boolean wrote(List<Object> answer) {
        return switch (this) {
            case ACQUIRE -> answer.get(0).equals("granted");
            case RENEW -> answer.get(0).equals(1L);
            default -> false;
        };
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource " + file + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
