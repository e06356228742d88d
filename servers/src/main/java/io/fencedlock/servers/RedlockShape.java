package io.fencedlock.servers;

import java.util.List;

/** Independent Redis servers: nothing to form. */
final class RedlockShape implements Shape {
    private static final int NODES = 5;

    private final Members members;
    private List<OwnServer> nodes = List.of();

    RedlockShape(Members members) {
        this.members = members;
    }

    @Override
    public void form() {
        nodes = members.seats(NODES).stream()
                .map(seat -> members.start(new RedisKind(), seat, members.options()))
                .toList();
    }

    @Override
    public List<OwnServer> nodes() {
        return nodes;
    }

    @Override
    public boolean isWhole() {
        return nodes.stream().allMatch(OwnServer::answers);
    }

    /** Each node counts as much as any other. */
    @Override
    public List<OwnServer> leaders() {
        return nodes;
    }
}
