package io.fencedlock.torture;

import io.fencedlock.servers.Resp;
import io.fencedlock.servers.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Redis, by its own protocol. */
final class RedisAdmin implements StoreAdmin {
    /** Those of tokens; what a node of a Redlock remembers is one, too. */
    private static final Pattern COUNTER = Pattern.compile(".*:(counter|redlock)");

    private final List<Server> nodes;

    RedisAdmin(List<Server> nodes) {
        this.nodes = nodes;
    }

    static String tell(Server node, String... words) {
        try {
            return Resp.ask(node.address(), words);
        } catch (IOException e) {
            throw new UncheckedIOException(node + " does not answer " + words[0], e);
        }
    }

    private Stream<Server> primaries() {
        return nodes.stream().filter(node -> tell(node, "ROLE").startsWith("master"));
    }

    @Override
    public long entries() {
        return primaries()
                .flatMap(node -> node.contents().keys().stream())
                .filter(key -> !COUNTER.matcher(key).matches())
                .count();
    }

    @Override
    public void loseCounter() {
        primaries()
                .map(Server::contents)
                .forEach(contents -> contents.keys().stream()
                        .filter(key -> COUNTER.matcher(key).matches())
                        .forEach(contents::delete));
    }

    void flushScripts() {
        primaries().forEach(node -> tell(node, "SCRIPT", "FLUSH"));
    }

    /** In bytes, 0 for none; on all nodes, since a primary may come back as a replica. */
    void limitMemory(String bytes) {
        nodes.forEach(node -> tell(node, "CONFIG", "SET", "maxmemory", bytes));
    }

    @Override
    public void failOver(Arena arena) {
        if (arena.isSentinel()) {
            tell(arena.sentinels().get(0), "SENTINEL", "FAILOVER", "main");
        } else {
            Server leader = arena.leader();
            replicasOf(leader, arena).stream().findFirst().ifPresent(replica -> tell(replica, "CLUSTER", "FAILOVER"));
        }
    }

    /** ROLE of a replica: slave, host and port of its primary as clients know it, state, offset. */
    List<Server> replicasOf(Server primary, Arena arena) {
        String port = Integer.toString(
                arena.proxies(List.of(primary)).get(0).address().getPort());
        return nodes.stream()
                .filter(node -> !node.equals(primary) && node.pid().isPresent())
                .filter(node -> {
                    List<String> role = tell(node, "ROLE").lines().toList();
                    return role.get(0).equals("slave") && role.get(2).equals(port);
                })
                .toList();
    }

    Server anyPrimary(Random random) {
        List<Server> all = primaries().toList();
        return all.get(random.nextInt(all.size()));
    }
}
