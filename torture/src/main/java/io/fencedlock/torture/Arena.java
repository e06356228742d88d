package io.fencedlock.torture;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLocks;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Disturbance;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.ServerUnavailableException;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The store that is tortured, with what it can be broken by. Each worker has a route of its own to it. */
final class Arena implements AutoCloseable {
    private static final Duration WHOLE = Duration.ofSeconds(150);
    private static final String ETCD_VERSION = "3.5";

    private static final String ETCD_CLOCK = "etcd asks the system for the time past the library that steps it";

    private final String place;
    private final String directUrl;
    private final List<Server> nodes;
    private final Optional<Cluster> cluster;
    private final List<Route> routes;
    private final List<FaultProxy> shared;
    private final String scheme;
    private final Optional<StoreAdmin> admin;
    private final Optional<String> clockObstacle;
    private final AutoCloseable servers;
    private final boolean mayBeHarmed;

    private Arena(
            String place,
            String directUrl,
            List<Server> nodes,
            Optional<Cluster> cluster,
            List<Route> routes,
            Optional<String> clockObstacle,
            boolean mayBeHarmed,
            AutoCloseable servers) {
        this.place = place;
        this.directUrl = directUrl;
        this.nodes = nodes;
        this.cluster = cluster;
        this.routes = routes;
        this.clockObstacle = clockObstacle;
        this.mayBeHarmed = mayBeHarmed;
        this.servers = servers;
        shared = cluster.map(Cluster::proxies).orElse(List.of());
        scheme = directUrl.replaceFirst(":.*", "");
        admin = nodes.isEmpty() ? Optional.empty() : Optional.of(StoreAdmin.of(nodes));
    }

    static Arena single(Store store, int workers) {
        Started<Server> started = Started.with(store, options -> Servers.start(store, options));
        Server server = started.servers();
        List<Route> routes = Stream.generate(() -> Route.direct(store.scheme(), List.of(server)))
                .limit(workers)
                .toList();
        String place = store.scheme() + " " + server.version();
        return new Arena(
                place, server.url(), List.of(server), Optional.empty(), routes, started.clockObstacle(), true, server);
    }

    /** Sentinels and the nodes of a Redis Cluster tell clients addresses, and replicas follow their primaries: proxies that all share are in front. */
    static Arena cluster(Topology topology, int workers) {
        boolean redis = topology.store() == Store.REDIS && topology != Topology.REDLOCK;
        Started<Cluster> started = Started.with(
                topology.store(),
                options -> redis ? Cluster.startBehindProxies(topology, options) : Cluster.start(topology, options));
        Cluster cluster = started.servers();
        List<Server> nodes = cluster.nodes();
        List<Route> routes = Stream.generate(
                        () -> redis ? Route.around(cluster) : Route.direct(topology.scheme(), nodes))
                .limit(workers)
                .toList();
        String place = topology.scheme() + " of " + nodes.size() + " nodes, "
                + nodes.get(0).version();
        return new Arena(
                place, cluster.url(), nodes, Optional.of(cluster), routes, started.clockObstacle(), true, cluster);
    }

    /** Servers, and why their clocks cannot be stepped, if so. */
    private record Started<T>(T servers, Optional<String> clockObstacle) {
        static <T> Started<T> with(Store store, Function<ServerOptions, T> start) {
            ServerOptions options = options(store);
            if (store == Store.ETCD) {
                return new Started<>(start.apply(options), Optional.of(ETCD_CLOCK));
            }
            try {
                return new Started<>(start.apply(options.steppableClock()), Optional.empty());
            } catch (ServerUnavailableException e) {
                return new Started<>(start.apply(options), Optional.of(String.valueOf(e.getMessage())));
            }
        }
    }

    /** They wait for their disks, so that a slow one is noticed. */
    private static ServerOptions options(Store store) {
        ServerOptions own = ServerOptions.defaults().throwAway();
        return switch (store) {
            case ETCD -> own.version(ETCD_VERSION).setting("unsafe-no-fsync", "false");
            case ZOOKEEPER -> own.setting("forceSync", "yes");
            default -> own;
        };
    }

    /** A store of the user's: its servers are left alone; its locks are taken away only if that is allowed. */
    static Arena at(String url, boolean mayBeHarmed) {
        String place = url.replaceFirst("//[^/?]*@", "//").replaceFirst("\\?.*", "");
        return new Arena(place, url, List.of(), Optional.empty(), List.of(), Optional.empty(), mayBeHarmed, () -> {});
    }

    /** For people, without secrets. */
    String place() {
        return place;
    }

    String scheme() {
        return scheme;
    }

    String directUrl() {
        return directUrl;
    }

    /** A worker's own way to the nodes. */
    Route route(int worker) {
        return routes.get(worker);
    }

    /** Where a worker connects. */
    String url(int worker) {
        return routes.isEmpty() ? directUrl : routes.get(worker).url();
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

    /** Whether the nodes know nothing of each other. */
    boolean isRedlock() {
        return cluster.filter(c -> c.topology() == Topology.REDLOCK).isPresent();
    }

    /** Whether some nodes lead others. */
    boolean isLed() {
        return isCluster() && !isRedlock();
    }

    /** Whether a change of leader may lose what was acknowledged last. */
    boolean losesWrites() {
        return isLed() && isRedis();
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

    /** Cuts a node off from the others. */
    Disturbance isolate(Server node) {
        return cluster.orElseThrow().isolate(node);
    }

    Optional<String> serverClockObstacle() {
        return clockObstacle;
    }

    boolean hasRoutes() {
        return !routes.isEmpty();
    }

    /** All proxies to one node, or to all: before the node itself where its replicas go through them as well. */
    List<FaultProxy> proxies(List<Server> to) {
        if (!shared.isEmpty()) {
            return to.stream().map(node -> shared.get(nodes.indexOf(node))).toList();
        }
        return routes.stream()
                .flatMap(route -> to.stream().map(node -> route.proxies().get(nodes.indexOf(node))))
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
        routes.forEach(Route::close);
        try {
            servers.close();
        } catch (Exception e) {
            throw new IllegalStateException("the servers could not be closed", e);
        }
    }
}
