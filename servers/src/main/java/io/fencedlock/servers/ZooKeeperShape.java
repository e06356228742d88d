package io.fencedlock.servers;

import java.util.ArrayList;
import java.util.List;

/** Three voting members of a ZooKeeper ensemble. */
final class ZooKeeperShape implements Shape {
    private static final int NODES = 3;

    private final Members members;
    private final ZooKeeperKind kind = new ZooKeeperKind();
    private List<OwnServer> nodes = List.of();

    ZooKeeperShape(Members members) {
        this.members = members;
    }

    @Override
    public void form() {
        List<Seat> seats = members.seats(NODES);
        ServerOptions options = members.options();
        for (int i = 1; i <= NODES; i++) {
            int peer = members.seatInTheOpen().port();
            int election = members.seatInTheOpen().port();
            options = options.setting("server." + i, "127.0.0.1:" + peer + ":" + election);
        }
        List<OwnServer> started = new ArrayList<>();
        for (int i = 1; i <= NODES; i++) {
            started.add(members.start(kind, seats.get(i - 1), options.dataFile("myid", Integer.toString(i))));
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
