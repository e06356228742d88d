package io.fencedlock.torture;

import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Detour;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One worker's way to all nodes, which can be cut without harm to others. Thread-safe.
 *
 * @param url where the worker connects
 * @param proxies one to each node in their order; none where the nodes tell clients addresses
 * @param detour leads such clients
 */
record Route(String url, List<FaultProxy> proxies, Optional<Detour> detour) implements AutoCloseable {

    static Route direct(String scheme, List<Server> nodes) {
        List<FaultProxy> proxies = nodes.stream().map(FaultProxy::inFrontOf).toList();
        String hosts = proxies.stream()
                .map(proxy -> "127.0.0.1:" + proxy.address().getPort())
                .collect(Collectors.joining(","));
        return new Route(scheme + "://" + hosts, proxies, Optional.empty());
    }

    static Route around(Cluster cluster) {
        Detour detour = cluster.detour();
        return new Route(detour.url(), List.of(), Optional.of(detour));
    }

    /**
     * Nothing comes through any more.
     *
     * @param noticed whether connections break, or only fall silent and deliver late what they were given
     */
    void cut(boolean noticed) {
        proxies.forEach(proxy -> proxy.set(Fault.stall()));
        detour.ifPresent(around -> around.set(Fault.stall()));
        if (noticed) {
            proxies.forEach(FaultProxy::refuse);
            detour.ifPresent(Detour::cut);
        }
    }

    void heal() {
        proxies.forEach(FaultProxy::heal);
        detour.ifPresent(Detour::heal);
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        detour.ifPresent(Detour::close);
    }
}
