package io.fencedlock.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A primary, two replicas, and three Sentinels that agree by two. */
final class SentinelShape implements Shape {
    static final String MASTER = "main";

    private static final int NODES = 3;
    private static final int SENTINELS = 3;
    private static final Duration REPLICATION = Duration.ofSeconds(30);

    private final Members members;
    private final List<OwnServer> nodes = new ArrayList<>();
    private final List<OwnServer> sentinels = new ArrayList<>();

    SentinelShape(Members members) {
        this.members = members;
    }

    /** The Sentinels come last: they ask a primary for its replicas only every ten seconds, so the first answer must be complete. */
    @Override
    public void form() {
        List<Seat> seats = members.seats(NODES);
        int primary = seats.get(0).announced();
        for (Seat seat : seats) {
            ServerOptions options = members.options()
                    .setting("repl-diskless-sync-delay", "0")
                    .setting("replica-announce-ip", "127.0.0.1")
                    .setting("replica-announce-port", Integer.toString(seat.announced()));
            ServerOptions own = nodes.isEmpty() ? options : options.setting("replicaof", "127.0.0.1 " + primary);
            nodes.add(members.start(new RedisKind(), seat, own));
        }
        Wait.until(
                REPLICATION, () -> "the Redis primary has not two replicas", () -> onlineReplicas(nodes.get(0)) == 2);
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(members.start(new SentinelKind(), members.seatInTheOpen(), sentinelOptions(primary)));
        }
    }

    private static ServerOptions sentinelOptions(int primary) {
        return ServerOptions.defaults()
                .setting("sentinel", "monitor " + MASTER + " 127.0.0.1 " + primary + " 2")
                .setting("sentinel", "down-after-milliseconds " + MASTER + " 1000")
                .setting("sentinel", "failover-timeout " + MASTER + " 3000")
                .setting("sentinel", "parallel-syncs " + MASTER + " 2");
    }

    private static long onlineReplicas(OwnServer primary) {
        String info = Resp.askOrNothing(primary.address(), "INFO", "replication");
        return info.lines()
                .filter(line -> line.startsWith("slave") && line.contains("state=online"))
                .count();
    }

    @Override
    public List<OwnServer> entrances() {
        return sentinels;
    }

    @Override
    public List<OwnServer> nodes() {
        return List.copyOf(nodes);
    }

    @Override
    public List<OwnServer> sentinels() {
        return List.copyOf(sentinels);
    }

    @Override
    public boolean isWhole() {
        List<OwnServer> leaders = leaders();
        return leaders.size() == 1
                && onlineReplicas(leaders.get(0)) == 2
                && sentinels.stream().allMatch(SentinelShape::seesAll)
                && sentinels.stream()
                        .allMatch(sentinel -> primaryPort(sentinel)
                                .equals(Optional.of(leaders.get(0).announcedPort())));
    }

    @Override
    public String standing(OwnServer node) {
        if (!sentinels.contains(node)) {
            return RedisKind.role(node);
        }
        List<String> words = master(node);
        return Stream.of("port", "flags", "num-slaves", "num-other-sentinels")
                .map(name -> name + " " + value(words, name))
                .collect(Collectors.joining(", "));
    }

    private static List<String> master(OwnServer sentinel) {
        return Resp.askOrNothing(sentinel.address(), "SENTINEL", "MASTER", MASTER)
                .lines()
                .toList();
    }

    private static boolean seesAll(OwnServer sentinel) {
        List<String> words = master(sentinel);
        return value(words, "flags").equals("master")
                && value(words, "num-slaves").equals("2")
                && value(words, "num-other-sentinels").equals("2");
    }

    private static String value(List<String> words, String name) {
        int at = words.indexOf(name);
        return at < 0 || at + 1 == words.size() ? "" : words.get(at + 1);
    }

    private static Optional<Integer> primaryPort(OwnServer sentinel) {
        List<String> hostAndPort = Resp.askOrNothing(sentinel.address(), "SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER)
                .lines()
                .toList();
        return hostAndPort.size() == 2 ? Optional.of(Integer.valueOf(hostAndPort.get(1))) : Optional.empty();
    }

    /** Whom the first Sentinel that answers takes for the primary, if that node agrees. */
    @Override
    public List<OwnServer> leaders() {
        Optional<Integer> port = sentinels.stream()
                .map(SentinelShape::primaryPort)
                .flatMap(Optional::stream)
                .findFirst();
        return nodes.stream()
                .filter(node -> port.equals(Optional.of(node.announcedPort())))
                .filter(node -> Resp.askOrNothing(node.address(), "ROLE").startsWith("master"))
                .toList();
    }
}
