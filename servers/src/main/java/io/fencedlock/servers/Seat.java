package io.fencedlock.servers;

import java.util.Optional;

/**
 * The ports of one server, taken before it is started so that others can be told: clients use {@link #announced()}, which is a proxy's
 * port when there is one in front of the server.
 */
record Seat(int port, int tlsPort, Optional<FaultProxy> proxy) implements AutoCloseable {
    static Seat take() {
        return new Seat(Ports.free(), Ports.free(), Optional.empty());
    }

    static Seat takeBehindProxy(Store store) {
        int port = Ports.free();
        return new Seat(port, Ports.free(), Optional.of(FaultProxy.to(Ports.onLoopback(port), store.scheme())));
    }

    int announced() {
        return proxy.map(before -> before.address().getPort()).orElse(port);
    }

    @Override
    public void close() {
        proxy.ifPresent(FaultProxy::close);
        Ports.giveBack(port);
        Ports.giveBack(tlsPort);
    }
}
