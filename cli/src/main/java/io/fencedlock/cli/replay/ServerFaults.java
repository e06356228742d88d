package io.fencedlock.cli.replay;

import io.fencedlock.servers.Data;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What can be done to one server and to worker-A's way to it. */
final class ServerFaults implements Faults {
    private final Optional<Location> location;
    private final Optional<FaultProxy> proxy;
    private final Optional<Server> server;

    ServerFaults(Optional<Location> location, Optional<FaultProxy> proxy, Optional<Server> server) {
        this.location = location;
        this.proxy = proxy;
        this.server = server;
    }

    @Override
    public void cutOffA() {
        proxy.orElseThrow().set(Fault.stall());
    }

    @Override
    public CompletableFuture<Void> loseReplyToA(String containing) {
        return proxy.orElseThrow().loseReply(request -> request.contains(containing));
    }

    @Override
    public void breakConnectionsOfA() {
        proxy.orElseThrow().cut();
    }

    @Override
    public void deleteCounters() {
        Eviction.at(location.orElseThrow());
    }

    @Override
    public void restartEmpty() {
        server.orElseThrow().restart(Data.WIPE);
    }

    @Override
    public void heal() {
        proxy.ifPresent(FaultProxy::heal);
    }
}
