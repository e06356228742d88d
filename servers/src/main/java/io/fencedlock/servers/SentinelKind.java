package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Redis Sentinel: the Redis program in another mode, on a configuration file that it rewrites itself. */
final class SentinelKind implements Kind {
    private final RedisKind redis = new RedisKind();

    @Override
    public Store store() {
        return Store.REDIS;
    }

    @Override
    public Plan plan(Node node, ServerOptions options) {
        StringBuilder conf = new StringBuilder();
        conf.append("bind ").append(node.listen()).append("\nprotected-mode no\n");
        conf.append("port ").append(node.port()).append('\n');
        conf.append("dir ").append(node.data()).append('\n');
        options.settings()
                .forEach(
                        s -> conf.append(s.name()).append(' ').append(s.value()).append('\n'));
        byte[] bytes = conf.toString().getBytes(StandardCharsets.UTF_8);
        return new Plan(
                List.of(node.files() + "/sentinel.conf", "--sentinel"), Map.of("sentinel.conf", bytes), Map.of());
    }

    @Override
    public boolean answers(InetSocketAddress address) {
        return redis.answers(address);
    }

    @Override
    public Optional<String> version(InetSocketAddress address) {
        return redis.version(address);
    }
}
