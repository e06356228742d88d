package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Endpoint;
import io.fencedlock.LockClock;
import io.fencedlock.LockName;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The nodes of a Redlock, a connection to each. They have places, by the order in the URL, which is the same for all clients; each node
 * remembers its own, so that a client that thinks otherwise is refused. Thread-safe, never blocks but in {@link #close}.
 */
final class RedlockNodes implements AutoCloseable {

    private static final String NO_STRIPE = "none";
    private static final int NONCE_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String target;
    private final List<Endpoint> endpoints;
    private final ServerDriver driver;
    private final List<Driver> drivers;
    private final List<RedisCommands> commands = new ArrayList<>();
    private final Quorum quorum;
    private final String member;

    RedlockNodes(RedisSettings settings, LockClock clock, RedisKeys keys) {
        target = settings.target();
        endpoints = settings.endpoints();
        quorum = new Quorum(endpoints.size());
        member = keys.member();
        driver = new ServerDriver(settings.node(endpoints.get(0)));
        drivers = endpoints.stream().map(driver::to).toList();
        for (int i = 0; i < endpoints.size(); i++) {
            commands.add(RedisCommands.ofNode(settings.node(endpoints.get(i)), drivers.get(i), clock));
        }
    }

    String target() {
        return target;
    }

    Quorum quorum() {
        return quorum;
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    List<Driver> drivers() {
        return drivers;
    }

    IntStream all() {
        return IntStream.range(0, endpoints.size());
    }

    /** Runs something on every node at once. */
    <A> List<CompletableFuture<A>> each(IntFunction<CompletableFuture<A>> request) {
        return all().mapToObj(request).toList();
    }

    CompletableFuture<List<Object>> run(int node, Script script, String[] keys, RedisCommands.Arguments arguments) {
        return commands.get(node).run(script, keys, arguments);
    }

    /** Asks a node's memory about no lock. */
    CompletableFuture<Vote> ask(int node, Script script, String... arguments) {
        String[] whole = arguments(node, NO_STRIPE, arguments);
        return vote(node, commands.get(node).run(script, keys(), whole));
    }

    /** The keys of a question to a node's memory. */
    String[] keys(String... more) {
        return Stream.concat(Stream.of(member), Stream.of(more)).toArray(String[]::new);
    }

    /** Its arguments. */
    String[] arguments(int node, String stripe, String... more) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        String[] who = {place(node), HexFormat.of().formatHex(nonce), String.valueOf(endpoints.size()), stripe};
        return Stream.concat(Stream.of(who), Stream.of(more)).toArray(String[]::new);
    }

    private String place(int node) {
        return (node + 1) + "/" + endpoints.size();
    }

    static String stripe(LockName name) {
        return String.valueOf(RedisKeys.stripe(name));
    }

    CompletableFuture<Vote> vote(int node, CompletableFuture<List<Object>> answer) {
        return answer.thenApply(values -> {
            Vote vote = Vote.parse(node, values);
            if (vote.is(Vote.Said.STRANGER)) {
                throw new BackendUnavailableException(
                        "Redis at " + endpoints.get(node) + " is not node " + place(node)
                                + " to other clients: all list the same nodes in the same order",
                        null);
            }
            return vote;
        });
    }

    @Override
    public void close() {
        commands.forEach(RedisCommands::close);
        driver.close();
    }
}
