package io.fencedlock.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three members of etcd that know each other from the start. */
final class EtcdShape implements Shape {
    private static final int NODES = 3;

    private final Members members;
    private final EtcdKind kind = new EtcdKind();
    private List<OwnServer> nodes = List.of();

    EtcdShape(Members members) {
        this.members = members;
    }

    @Override
    public void form() {
        List<Seat> seats = members.seats(NODES);
        List<String> peers = seats.stream()
                .map(seat -> "http://127.0.0.1:" + members.seatInTheOpen().port())
                .toList();
        String cluster = IntStream.range(0, NODES)
                .mapToObj(i -> "n" + i + "=" + peers.get(i))
                .collect(Collectors.joining(","));
        String token = UUID.randomUUID().toString(); // members of another cluster that once had our ports are refused
        List<OwnServer> started = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            started.add(members.start(
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
                            .setting("initial-cluster-token", token)));
        }
        nodes = List.copyOf(started);
    }

    @Override
    public List<OwnServer> entrances() {
        return nodes;
    }

    @Override
    public List<OwnServer> nodes() {
        return nodes;
    }

    @Override
    public List<OwnServer> sentinels() {
        return List.of();
    }

    @Override
    public boolean isWhole() {
        return nodes.stream().allMatch(OwnServer::answers) && leaders().size() == 1;
    }

    @Override
    public List<OwnServer> leaders() {
        return nodes.stream().filter(node -> kind.leads(node.address())).toList();
    }
}
