package io.fencedlock.servers;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A throw-away cluster of real servers on loopback, each in a process of its own. Every node is a {@link Server} that can be paused,
 * killed and started again; {@link Server#restart} of a node returns when it listens, {@link #awaitWhole} when the cluster has agreed.
 *
 * <p>Thread-safe. It ends with this JVM, however that ends. {@link #close()} leaves nothing behind.
 */
public final class Cluster implements AutoCloseable {
    private static final Duration WHOLE = Duration.ofSeconds(60);

    private final Topology topology;
    private final Members members;
    private final Shape shape;

    private Cluster(Topology topology, Members members) {
        this.topology = topology;
        this.members = members;
        this.shape = Shape.of(topology, members);
        boolean up = false;
        try {
            shape.form();
            awaitWhole(WHOLE);
            up = true;
        } finally {
            if (!up) {
                members.close();
            }
        }
    }

    /**
     * Starts a cluster; takes some seconds.
     *
     * @param topology which one
     * @return the cluster, whole
     * @throws ServerUnavailableException if its servers cannot be had; nothing is left running
     */
    public static Cluster start(Topology topology) {
        return start(topology, ServerOptions.defaults());
    }

    /**
     * Starts a cluster; takes some seconds.
     *
     * @param topology which one
     * @param options how to start each node (not the Sentinels)
     * @return the cluster, whole
     * @throws ServerUnavailableException if its servers cannot be had; nothing is left running
     */
    public static Cluster start(Topology topology, ServerOptions options) {
        return start(topology, options, false);
    }

    /**
     * Starts a cluster with a {@link FaultProxy} in front of each node: the nodes tell clients the proxies' addresses. Redis replicas
     * follow their primary through its proxy, too; the nodes of a Redis Cluster, etcd and ZooKeeper talk to each other directly.
     *
     * @param topology which one
     * @param options how to start each node (not the Sentinels, which have no proxy)
     * @return the cluster, whole
     * @throws ServerUnavailableException if its servers cannot be had; nothing is left running
     */
    public static Cluster startBehindProxies(Topology topology, ServerOptions options) {
        return start(topology, options, true);
    }

    private static Cluster start(Topology topology, ServerOptions options, boolean behindProxies) {
        Store store = topology.store();
        List<String> reasons = new ArrayList<>();
        WallClock.check(store, options);
        Set<Way> ways = Way.to(store);
        ways.remove(Way.ADDRESS);
        for (Way way : ways) {
            try {
                BodyMaker bodies = BodyMaker.ofCluster(way, store, options);
                return started(topology, options, bodies, behindProxies);
            } catch (NotHere e) {
                reasons.add(e.reason());
            } catch (IllegalStateException | UncheckedIOException e) {
                throw new ServerUnavailableException(String.valueOf(e.getMessage()), e);
            }
        }
        throw new ServerUnavailableException(Advice.noCluster(topology, reasons));
    }

    private static Cluster started(Topology topology, ServerOptions options, BodyMaker bodies, boolean behindProxies) {
        Cluster cluster =
                Ports.tryAgain(() -> new Cluster(topology, new Members(topology, options, bodies, behindProxies)));
        Servers.tell(cluster.nodes().get(0));
        return cluster;
    }

    /**
     * What kind of cluster this is.
     *
     * @return the topology
     */
    public Topology topology() {
        return topology;
    }

    /**
     * The cluster's URL, as a user would give it to fencedlock; with proxies, their addresses (Sentinels have none).
     *
     * @return for example {@code redis-sentinel://127.0.0.1:20001,127.0.0.1:20002,127.0.0.1:20003/main}
     */
    public String url() {
        String hosts = shape.entrances().stream()
                .map(node -> "127.0.0.1:" + node.announcedPort())
                .collect(Collectors.joining(","));
        String path = topology == Topology.REDIS_SENTINEL ? "/" + SentinelShape.MASTER : "";
        return topology.scheme() + "://" + hosts + path;
    }

    /**
     * The nodes that hold data, always in the same order.
     *
     * @return all of them, whether they run or not
     */
    public List<Server> nodes() {
        return List.copyOf(shape.nodes());
    }

    /**
     * The Sentinels.
     *
     * @return three for {@link Topology#REDIS_SENTINEL}, else none
     */
    public List<Server> sentinels() {
        return List.copyOf(shape.sentinels());
    }

    /**
     * The proxies in front of the nodes.
     *
     * @return one for each of {@link #nodes()}, in their order; none if the cluster was started without
     */
    public List<FaultProxy> proxies() {
        return shape.nodes().stream()
                .map(OwnServer::proxy)
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * A way to the cluster for one client alone, whose connections can be broken.
     *
     * @return the way, to be closed by the caller
     */
    public Detour detour() {
        return new Detour(this, shape.nodes(), shape.sentinels());
    }

    /**
     * Cuts a node off from the other nodes and from the Sentinels, which are refused at each other's ports; clients reach all of them. Root on
     * Linux can do that, with iptables, which is unpacked from the system's packages where it is not installed.
     *
     * @param node one of {@link #nodes()}
     * @return ends it when it is closed
     * @throws IllegalStateException if it cannot be done here; the message says why
     */
    public Disturbance isolate(Server node) {
        List<OwnServer> all = Stream.concat(shape.nodes().stream(), shape.sentinels().stream())
                .toList();
        List<OwnServer> others = all.stream().filter(other -> other != node).toList();
        if (others.size() == all.size()) {
            throw new IllegalArgumentException(node + " is no node of " + this);
        }
        List<OwnServer> alone = all.stream().filter(one -> one == node).toList();
        List<String> rules = all.stream()
                .map(one -> group(one)
                        .barredFrom((one == node ? others : alone)
                                .stream().flatMap(this::ports).toList()))
                .toList();
        return Disturbance.begin("partition.sh", rules, Firewall.find().environment());
    }

    private static Group group(OwnServer node) {
        return node.group()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "nodes can be parted where they are processes of Linux, root has started them, and setpriv is there"));
    }

    private Stream<Integer> ports(OwnServer node) {
        return Stream.concat(Stream.of(node.announcedPort(), node.address().getPort()), shape.peerPorts(node).stream())
                .distinct();
    }

    /**
     * The nodes that lead now: the primaries of Redis, the leader of etcd or ZooKeeper, every node of {@link Topology#REDLOCK}.
     *
     * @return those that are known to lead; fewer, or none, during an election
     */
    public List<Server> leaders() {
        return List.copyOf(shape.leaders());
    }

    /**
     * The node that leads; the first of several.
     *
     * @return the leader, once there is one
     * @throws IllegalStateException if there is none within a minute
     */
    public Server leader() {
        Wait.until(
                WHOLE,
                () -> "the " + topology + " cluster has no leader",
                () -> !shape.leaders().isEmpty());
        return shape.leaders().stream().findFirst().map(Server.class::cast).orElseGet(this::leader);
    }

    /**
     * Whether every node is up, and all agree who leads.
     *
     * @return true if so
     */
    public boolean isWhole() {
        return shape.isWhole();
    }

    /**
     * Waits until {@link #isWhole()}.
     *
     * @param limit how long to wait
     * @throws IllegalStateException if it does not become whole in time
     */
    public void awaitWhole(Duration limit) {
        Wait.until(limit, () -> "the " + topology + " cluster is not whole (" + standings() + ")", this::isWhole);
    }

    private String standings() {
        return Stream.concat(shape.nodes().stream(), shape.sentinels().stream())
                .map(node -> node.address().getPort() + " " + shape.standing(node))
                .collect(Collectors.joining("; "));
    }

    /** Ends all servers and removes their data. Never throws; does nothing the second time. */
    @Override
    public void close() {
        members.close();
    }

    @Override
    public String toString() {
        return topology + " " + url();
    }
}
