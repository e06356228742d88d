package io.fencedlock.torture;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLocks;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The store that is tortured, with what it can be broken by. Where clients keep to the addresses of their URL each worker has a proxy of its own
 * to each node; the nodes of Sentinel and Redis Cluster tell clients addresses, so there one proxy in front of each node serves all.
 */
final class Arena implements AutoCloseable {
    private static final Duration WHOLE = Duration.ofSeconds(150);
    private static final String ETCD_VERSION = "3.5";

    private final String place;
    private final String directUrl;
    private final List<Server> nodes;
    private final Optional<Cluster> cluster;
    private final List<List<FaultProxy>> proxies;
    private final boolean shared;
    private final String scheme;
    private final Optional<StoreAdmin> admin;
    private final AutoCloseable servers;
    private final boolean mayBeHarmed;

    private Arena(
            String place,
            String directUrl,
            List<Server> nodes,
            Optional<Cluster> cluster,
            List<List<FaultProxy>> proxies,
            boolean shared,
            boolean mayBeHarmed,
            AutoCloseable servers) {
        this.place = place;
        this.directUrl = directUrl;
        this.nodes = nodes;
        this.cluster = cluster;
        this.proxies = proxies;
        this.shared = shared;
        this.mayBeHarmed = mayBeHarmed;
        this.servers = servers;
        scheme = directUrl.replaceFirst(":.*", "");
        admin = nodes.isEmpty() ? Optional.empty() : Optional.of(StoreAdmin.of(nodes));
    }

    static Arena single(Store store, int workers) {
        ServerOptions options = ServerOptions.defaults().throwAway();
        Server server = Servers.start(store, store == Store.ETCD ? options.version(ETCD_VERSION) : options);
        List<List<FaultProxy>> proxies = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            proxies.add(List.of(FaultProxy.inFrontOf(server)));
        }
        String place = store.scheme() + " " + server.version();
        return new Arena(place, server.url(), List.of(server), Optional.empty(), proxies, false, true, server);
    }

    static Arena cluster(Topology topology, int workers) {
        ServerOptions options = ServerOptions.defaults().throwAway();
        boolean shared = topology.store() == Store.REDIS;
        Cluster cluster = shared
                ? Cluster.startBehindProxies(topology, options)
                : Cluster.start(topology, topology == Topology.ETCD_3 ? options.version(ETCD_VERSION) : options);
        List<Server> nodes = cluster.nodes();
        List<List<FaultProxy>> proxies = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            proxies.add(
                    shared
                            ? cluster.proxies()
                            : nodes.stream().map(FaultProxy::inFrontOf).toList());
        }
        String place = topology.scheme() + " of " + nodes.size() + " nodes, "
                + nodes.get(0).version();
        return new Arena(place, cluster.url(), nodes, Optional.of(cluster), proxies, shared, true, cluster);
    }

    /** A store of the user's: its servers are left alone; its locks are taken away only if that is allowed. */
    static Arena at(String url, boolean mayBeHarmed) {
        String place = url.replaceFirst("//[^/?]*@", "//").replaceFirst("\\?.*", "");
        return new Arena(place, url, List.of(), Optional.empty(), List.of(), false, mayBeHarmed, () -> {});
    }

    /** For people, without secrets. */
    String place() {
        return place;
    }

    String directUrl() {
        return directUrl;
    }

    /** Where a worker connects. */
    String url(int worker) {
        if (shared || proxies.isEmpty()) {
            return directUrl;
        }
        return scheme + "://"
                + proxies.get(worker).stream()
                        .map(proxy -> "127.0.0.1:" + proxy.address().getPort())
                        .collect(Collectors.joining(","));
    }

    /** The options of a client beside its lease time. */
    static Map<String, String> options(String tokens) {
        return tokens.equals("default") ? Map.of() : Map.of("tokens", tokens);
    }

    BackendProfile profile(String tokens) {
        var builder = FencedLocks.configure().url(directUrl);
        options(tokens).forEach(builder::option);
        try (FencedLocks probe = builder.connect()) {
            return probe.profile();
        }
    }

    List<Server> nodes() {
        return nodes;
    }

    boolean isCluster() {
        return cluster.isPresent();
    }

    boolean isRedis() {
        return !nodes.isEmpty() && nodes.get(0).store() == Store.REDIS;
    }

    boolean isZooKeeper() {
        return !nodes.isEmpty() && nodes.get(0).store() == Store.ZOOKEEPER;
    }

    boolean isSentinel() {
        return cluster.filter(c -> c.topology() == Topology.REDIS_SENTINEL).isPresent();
    }

    /** Whether a change of leader may lose what was acknowledged last. */
    boolean losesWrites() {
        return isCluster() && isRedis();
    }

    /** One that leads, or the only one. */
    Server leader() {
        return cluster.map(Cluster::leader).orElseGet(() -> nodes.get(0));
    }

    List<Server> leaders() {
        return cluster.map(Cluster::leaders).orElse(nodes);
    }

    List<Server> sentinels() {
        return cluster.map(Cluster::sentinels).orElse(List.of());
    }

    boolean hasProxies() {
        return !proxies.isEmpty();
    }

    /** Whether one worker's connections can be broken alone. */
    boolean hasOwnProxies() {
        return hasProxies() && !shared;
    }

    /** A worker's proxies, in the order of the nodes. */
    List<FaultProxy> proxies(int worker) {
        return proxies.get(worker);
    }

    /** All proxies to one node, or to all. */
    List<FaultProxy> proxies(List<Server> to) {
        return proxies.stream()
                .flatMap(own -> to.stream().map(node -> own.get(nodes.indexOf(node))))
                .distinct()
                .toList();
    }

    StoreAdmin admin() {
        return admin.orElseThrow(() -> new IllegalStateException("the store at " + place + " is not ours"));
    }

    boolean mayBeHarmed() {
        return mayBeHarmed;
    }

    boolean isOurs() {
        return admin.isPresent();
    }

    void awaitWhole() {
        cluster.ifPresentOrElse(c -> c.awaitWhole(WHOLE), () -> nodes.forEach(node -> node.awaitReady(WHOLE)));
    }

    @Override
    public void close() {
        if (!shared) {
            proxies.forEach(own -> own.forEach(FaultProxy::close));
        }
        try {
            servers.close();
        } catch (Exception e) {
            throw new IllegalStateException("the servers could not be closed", e);
        }
    }
}
