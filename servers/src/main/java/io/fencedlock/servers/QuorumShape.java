package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three members that know each other from the start and elect one that leads: etcd, ZooKeeper. */
final class QuorumShape implements Shape {
    private static final int NODES = 3;

    private final Supplier<Map<OwnServer, List<Integer>>> start;
    private final Predicate<InetSocketAddress> leads;
    private Map<OwnServer, List<Integer>> nodes = Map.of();

    private QuorumShape(Supplier<Map<OwnServer, List<Integer>>> start, Predicate<InetSocketAddress> leads) {
        this.start = start;
        this.leads = leads;
    }

    static QuorumShape etcd(Members members) {
        EtcdKind kind = new EtcdKind();
        return new QuorumShape(() -> startEtcd(kind, members), kind::leads);
    }

    static QuorumShape zooKeeper(Members members) {
        ZooKeeperKind kind = new ZooKeeperKind();
        return new QuorumShape(() -> startZooKeeper(kind, members), kind::leads);
    }

    private static Map<OwnServer, List<Integer>> startEtcd(EtcdKind kind, Members members) {
        List<Seat> seats = members.seats(NODES);
        List<Integer> ports =
                seats.stream().map(seat -> members.seatInTheOpen().port()).toList();
        List<String> peers =
                ports.stream().map(port -> "http://127.0.0.1:" + port).toList();
        String cluster = IntStream.range(0, NODES)
                .mapToObj(i -> "n" + i + "=" + peers.get(i))
                .collect(Collectors.joining(","));
        String token = UUID.randomUUID().toString(); // members of another cluster that once had our ports are refused
        Map<OwnServer, List<Integer>> started = new LinkedHashMap<>();
        for (int i = 0; i < NODES; i++) {
            OwnServer node = members.start(
                    kind,
                    seats.get(i),
                    members.options()
                            .setting("name", "n" + i)
                            .setting("listen-peer-urls", peers.get(i))
                            .setting("initial-advertise-peer-urls", peers.get(i))
                            .setting(
                                    "advertise-client-urls",
                                    "http://127.0.0.1:" + seats.get(i).announced())
                            .setting("initial-cluster", cluster)
                            .setting("initial-cluster-state", "new")
                            .setting("initial-cluster-token", token));
            started.put(node, List.of(ports.get(i)));
        }
        return started;
    }

    private static Map<OwnServer, List<Integer>> startZooKeeper(ZooKeeperKind kind, Members members) {
        List<Seat> seats = members.seats(NODES);
        ServerOptions options = members.options();
        List<List<Integer>> ports = new ArrayList<>();
        for (int i = 1; i <= NODES; i++) {
            int peer = members.seatInTheOpen().port();
            int election = members.seatInTheOpen().port();
            options = options.setting("server." + i, "127.0.0.1:" + peer + ":" + election);
            ports.add(List.of(peer, election));
        }
        Map<OwnServer, List<Integer>> started = new LinkedHashMap<>();
        for (int i = 1; i <= NODES; i++) {
            ServerOptions own = options.dataFile("myid", Integer.toString(i));
            started.put(members.start(kind, seats.get(i - 1), own), ports.get(i - 1));
        }
        return started;
    }

    @Override
    public void form() {
        nodes = start.get();
    }

    @Override
    public List<OwnServer> nodes() {
        return List.copyOf(nodes.keySet());
    }

    @Override
    public List<Integer> peerPorts(OwnServer node) {
        return nodes.getOrDefault(node, List.of());
    }

    @Override
    public boolean isWhole() {
        return nodes().stream().allMatch(OwnServer::answers) && leaders().size() == 1;
    }

    @Override
    public List<OwnServer> leaders() {
        return nodes().stream().filter(node -> leads.test(node.address())).toList();
    }
}
