package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The keys of etcd, through its HTTP gateway, which has them in Base64. */
record EtcdContents(InetSocketAddress server) implements Contents {

    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]*)\"");
    private static final int LIMIT_MILLIS = 20_000;
    /** As the beginning of a range: the smallest key. As its end: none. */
    private static final String ALL = "{\"key\":\"AA==\",\"range_end\":\"AA==\",\"keys_only\":true}";

    @Override
    public Set<String> keys() {
        return KEY.matcher(ask("range", ALL))
                .results()
                .map(found -> new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.UTF_8))
                .collect(Collectors.toSet());
    }

    @Override
    public void delete(String key) {
        String encoded = Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
        ask("deleterange", "{\"key\":\"" + encoded + "\"}");
    }

    private String ask(String call, String body) {
        String request = "POST /v3/kv/" + call + " HTTP/1.0\r\nHost: localhost\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        try (Wire wire = Wire.connect(server, LIMIT_MILLIS)) {
            String answer = wire.send(request).readAll();
            if (!answer.startsWith("HTTP/1.0 200")) {
                throw new IOException("etcd answered " + answer);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
