package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.fencedlock.LockName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Where things stand in etcd, under the user's prefix. Part of the storage format: clients that disagreed here would lock one name twice.
 *
 * <pre>
 *   prefix/locks/name/client-n an entry of the name's queue; the oldest holds the lock
 *   prefix/base                what lifts revisions into the token space
 *   prefix/marks/resource      the highest mark that a fence has accepted
 *   prefix/values/resource     the value behind that fence
 * </pre>
 *
 * <p>Names are percent-encoded, so that none contains a slash and none is the beginning of another one's keys.
 *
 * @param prefix without slash at its end
 */
record EtcdKeys(String prefix) {

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Cuts slashes at the end, so that {@code locks} and {@code locks/} are one prefix. */
    EtcdKeys {
        prefix = prefix.replaceAll("/+$", "");
    }

    ByteString base() {
        return key("base");
    }

    /** The beginning of all entries of a name. */
    ByteString queue(LockName name) {
        return key("locks/" + encode(name) + "/");
    }

    ByteString entry(LockName name, String client, int number) {
        return key("locks/" + encode(name) + "/" + client + "-" + number);
    }

    ByteString mark(LockName resource) {
        return key("marks/" + encode(resource));
    }

    /** The beginning of all marks. */
    ByteString marks() {
        return key("marks/");
    }

    /** Whose mark a key is. */
    static String resource(ByteString mark) {
        String text = mark.toStringUtf8();
        String encoded = text.substring(text.lastIndexOf('/') + 1);
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

    ByteString value(LockName resource) {
        return key("values/" + encode(resource));
    }

    /** The first key behind all that begin with a prefix that ends with a slash. */
    static ByteString end(ByteString prefix) {
        return prefix.substring(0, prefix.size() - 1).concat(ByteString.copyFromUtf8(String.valueOf((char) ('/' + 1))));
    }

    private ByteString key(String rest) {
        return ByteString.copyFromUtf8(prefix + "/" + rest);
    }

    private static String encode(LockName name) {
        StringBuilder text = new StringBuilder();
        for (byte b : name.value().getBytes(StandardCharsets.UTF_8)) {
            boolean plain = (b >= 'a' && b <= 'z')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= '0' && b <= '9')
                    || b == '-'
                    || b == '_'
                    || b == '.';
            if (plain) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.toHexDigits(b));
            }
        }
        return text.toString();
    }
}
