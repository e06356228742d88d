package io.fencedlock.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The servers of one cluster while it is built: gives out seats, starts servers on them, and ends all of them. */
final class Members implements AutoCloseable {
    private final Topology topology;
    private final ServerOptions options;
    private final BodyMaker bodies;
    private final boolean behindProxies;
    private final List<OwnServer> servers = new ArrayList<>();
    private final List<Seat> seats = new ArrayList<>();

    Members(Topology topology, ServerOptions options, BodyMaker bodies, boolean behindProxies) {
        this.topology = topology;
        this.options = options;
        this.bodies = bodies;
        this.behindProxies = behindProxies;
    }

    ServerOptions options() {
        return options;
    }

    List<Seat> seats(int count) {
        List<Seat> taken = Stream.generate(() -> behindProxies ? Seat.takeBehindProxy(topology.store()) : Seat.take())
                .limit(count)
                .toList();
        seats.addAll(taken);
        return taken;
    }

    /** A server that clients reach without a proxy. */
    Seat seatInTheOpen() {
        Seat seat = Seat.take();
        seats.add(seat);
        return seat;
    }

    OwnServer start(Kind kind, Seat seat, ServerOptions of) {
        try {
            OwnServer server = OwnServer.startMember(kind, bodies.make(), seat, of);
            servers.add(server);
            return server;
        } catch (NotHere e) {
            throw new IllegalStateException(e.reason(), e);
        }
    }

    @Override
    public void close() {
        servers.parallelStream().forEach(OwnServer::close); // ending a container takes a while
        seats.forEach(Seat::close);
    }
}
