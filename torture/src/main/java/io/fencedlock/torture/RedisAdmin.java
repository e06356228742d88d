package io.fencedlock.torture;

import io.fencedlock.servers.Resp;
import io.fencedlock.servers.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Redis, by its own protocol. */
final class RedisAdmin implements StoreAdmin {
    /** Those of tokens; what a node of a Redlock remembers is one, too. */
    private static final Pattern COUNTER = Pattern.compile(".*:(counter|redlock)");

    private static final long FAILOVER_NANOS = TimeUnit.SECONDS.toNanos(60);

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

    /** Asked again while there is no replica that could take over yet. */
    @Override
    public void failOver(Arena arena) throws InterruptedException {
        long deadline = System.nanoTime() + FAILOVER_NANOS;
        for (int asked = 0; ; asked++) {
            String refusal = ask(arena, asked);
            if (refusal.isEmpty()) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("no failover of " + arena.place() + " could be begun: " + refusal);
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Asks one Sentinel after the other. Answers why there is no failover; empty if there is. */
    private String ask(Arena arena, int number) {
        try {
            if (arena.isSentinel()) {
                List<Server> sentinels = arena.sentinels();
                tell(sentinels.get(number % sentinels.size()), "SENTINEL", "FAILOVER", "main");
                return "";
            }
            Optional<Server> replica =
                    replicasOf(arena.leader(), arena).stream().findFirst();
            replica.ifPresent(one -> tell(one, "CLUSTER", "FAILOVER"));
            return replica.isPresent() ? "" : "no replica is connected";
        } catch (UncheckedIOException e) {
            String refusal = String.valueOf(e.getCause());
            return refusal.contains("INPROG") ? "" : refusal; // one is under way already
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
