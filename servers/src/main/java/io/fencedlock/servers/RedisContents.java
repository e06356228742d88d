package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys of a Redis server's first database. */
record RedisContents(InetSocketAddress server) implements Contents {

    @Override
    public Set<String> keys() {
        return ask("KEYS", "*").lines().collect(Collectors.toSet());
    }

    @Override
    public void delete(String key) {
        ask("DEL", key);
    }

    private String ask(String... words) {
        try {
            return Resp.ask(server, words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
