package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three primaries, each with a third of the slots, and a replica for each. */
final class RedisClusterShape implements Shape {
    private static final int PRIMARIES = 3;
    private static final int NODES = 6;
    private static final int SLOTS = 16_384;
    private static final int BUS = 10_000; // from a node's port to that of its bus
    private static final Duration STEP = Duration.ofSeconds(30);

    private final Members members;
    private List<OwnServer> nodes = List.of();

    RedisClusterShape(Members members) {
        this.members = members;
    }

    @Override
    public void form() {
        List<OwnServer> started = new ArrayList<>();
        for (Seat seat : members.seats(NODES)) {
            started.add(members.start(new RedisKind(), seat, options(seat)));
        }
        nodes = List.copyOf(started);
        for (int i = 0; i < NODES; i++) {
            tell(nodes.get(i), "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (int i = 0; i < PRIMARIES; i++) {
            tell(nodes.get(i), withSlots(i * SLOTS / PRIMARIES, (i + 1) * SLOTS / PRIMARIES));
        }
        for (OwnServer node : nodes.subList(1, NODES)) {
            tell(
                    node,
                    "CLUSTER",
                    "MEET",
                    "127.0.0.1",
                    Integer.toString(nodes.get(0).address().getPort()));
        }
        Wait.until(
                STEP,
                () -> "the nodes of the Redis Cluster do not all know each other",
                () -> nodes.stream().allMatch(this::knowsAll));
        for (int i = PRIMARIES; i < NODES; i++) {
            String id = tell(nodes.get(i - PRIMARIES), "CLUSTER", "MYID");
            tell(nodes.get(i), "CLUSTER", "REPLICATE", id);
        }
    }

    private ServerOptions options(Seat seat) {
        return members.options()
                .setting("cluster-enabled", "yes")
                .setting("cluster-node-timeout", "1000")
                .setting("repl-diskless-sync-delay", "0")
                .setting("cluster-announce-ip", "127.0.0.1")
                .setting("cluster-announce-port", Integer.toString(seat.announced()))
                .setting("cluster-announce-bus-port", Integer.toString(seat.port() + BUS));
    }

    private static String[] withSlots(int first, int end) {
        return Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(first, end).mapToObj(Integer::toString))
                .toArray(String[]::new);
    }

    private static String tell(OwnServer node, String... words) {
        try {
            return Resp.ask(node.address(), words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean knowsAll(OwnServer node) {
        List<String> lines = view(node);
        return lines.size() == NODES
                && lines.stream().allMatch(line -> line.contains(" connected") && !line.contains("handshake"));
    }

    /** CLUSTER NODES: a line for each node: id, address, flags, primary's id, pings, epoch, link, slots. */
    private static List<String> view(OwnServer node) {
        return Resp.askOrNothing(node.address(), "CLUSTER", "NODES").lines().toList();
    }

    @Override
    public List<OwnServer> nodes() {
        return nodes;
    }

    @Override
    public List<Integer> peerPorts(OwnServer node) {
        return List.of(node.address().getPort() + BUS);
    }

    /** All nodes see the same primaries, none is in doubt, and each replica is connected. */
    @Override
    public boolean isWhole() {
        Set<String> views = nodes.stream()
                .map(node -> primaries(view(node)).sorted().collect(Collectors.joining(",")))
                .collect(Collectors.toSet());
        return views.size() == 1
                && nodes.stream().allMatch(RedisClusterShape::isSound)
                && nodes.stream().allMatch(this::knowsAll)
                && leaders().size() == PRIMARIES;
    }

    @Override
    public String standing(OwnServer node) {
        String flags = view(node).stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words.length > 2 && words[2].contains("fail"))
                .map(words -> words[1].split("@", -1)[0] + " " + words[2])
                .collect(Collectors.joining(", "));
        String state = Resp.askOrNothing(node.address(), "CLUSTER", "INFO")
                .lines()
                .findFirst()
                .orElse("");
        return RedisKind.role(node) + " " + state + (flags.isEmpty() ? "" : " sees " + flags);
    }

    private static boolean isSound(OwnServer node) {
        String role = Resp.askOrNothing(node.address(), "ROLE");
        return Resp.askOrNothing(node.address(), "CLUSTER", "INFO").contains("cluster_state:ok")
                && (role.startsWith("master") || role.contains("connected"))
                && view(node).stream().noneMatch(line -> line.split(" ", -1)[2].contains("fail"));
    }

    private static Stream<String> primaries(List<String> view) {
        return view.stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words.length > 8
                        && flags(words[2]).contains("master")
                        && !flags(words[2]).contains("fail"))
                .map(words -> words[1].substring(words[1].indexOf(':') + 1).split("@", -1)[0]);
    }

    private static List<String> flags(String text) {
        return Arrays.asList(text.split(",", -1));
    }

    /** The primaries with slots, as the majority of the nodes that answer sees them. */
    @Override
    public List<OwnServer> leaders() {
        List<String> votes =
                nodes.stream().flatMap(node -> primaries(view(node)).distinct()).toList();
        long answering = nodes.stream().filter(OwnServer::answers).count();
        return nodes.stream()
                .filter(node -> 2
                                * votes.stream()
                                        .filter(Integer.toString(node.announcedPort())::equals)
                                        .count()
                        > answering)
                .toList();
    }
}
