package io.fencedlock.verify;

import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.Controls;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.ServerUnavailableException;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.util.Locale;
import java.util.function.Function;

/** Throw-away servers and clusters as targets of the suite, with every hook that makes sense for them, and servers of the user's. */
public final class ServerTarget {

    private ServerTarget() {}

    /**
     * Starts a server for the suite, to be thrown away. Blocks until it serves.
     *
     * @param store Redis, ZooKeeper or etcd
     * @param options of the clients' URL, written as there: {@code tokens=counter}
     * @return the target, which ends the server when it is closed
     * @throws ServerUnavailableException if there is no way to a server
     */
    public static ComplianceTarget start(Store store, String... options) {
        return of(server(store), options);
    }

    /**
     * Starts a server for {@link #of}, with a clock that can be stepped where there is a way to one. Blocks until it serves.
     *
     * @param store Redis, ZooKeeper or etcd
     * @return the server
     * @throws ServerUnavailableException if there is no way to a server
     */
    public static Server server(Store store) {
        return steppable(ServerOptions.defaults().throwAway(), options -> Servers.start(store, options));
    }

    private static <T> T steppable(ServerOptions plain, Function<ServerOptions, T> start) {
        try {
            return start.apply(plain.steppableClock());
        } catch (ServerUnavailableException e) {
            return start.apply(plain); // the rule about the clock is skipped, and says why
        }
    }

    /**
     * The same with a server that runs already.
     *
     * @param server a throw-away server, without TLS and password, closed by the target; it is restarted and emptied
     * @param options of the clients' URL, written as there: {@code tokens=counter}
     * @return the target, named after the store and the options
     */
    public static ComplianceTarget of(Server server, String... options) {
        return ComplianceTarget.of(
                named(server.store().scheme(), options), server.url() + query(options), new ServerControls(server));
    }

    /**
     * Starts a cluster for the suite, to be thrown away. Blocks until it is whole, some seconds.
     *
     * @param topology which one
     * @return the cluster, with clocks that can be stepped where there is a way to them
     * @throws ServerUnavailableException if there is no way to its servers
     */
    public static Cluster cluster(Topology topology) {
        return steppable(ServerOptions.defaults(), options -> Cluster.start(topology, options));
    }

    /**
     * A cluster that runs already.
     *
     * @param cluster closed by the target; its nodes are killed, restarted and emptied
     * @param options of the clients' URL, written as there: {@code tokens=counter}
     * @return the target, named after the topology and the options
     */
    public static ComplianceTarget of(Cluster cluster, String... options) {
        String name = cluster.topology().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return ComplianceTarget.of(
                named(name, options), cluster.url() + query(options), new ClusterControls(cluster, query(options)));
    }

    private static String named(String name, String... options) {
        return options.length == 0 ? name : name + " " + String.join(" ", options);
    }

    private static String query(String... options) {
        return options.length == 0 ? "" : "?" + String.join("&", options);
    }

    /**
     * A server of the user's. Only locks and values under names that nobody else has are touched, and removed.
     *
     * @param name the name in reports
     * @param url as for {@link io.fencedlock.FencedLocks#connect(String)}
     * @param faults whether what the suite does may also change what others on the server rely on: the counters under the URL's prefix are
     *     deleted, and all keys are listed. That works on plain servers, not with TLS or a password, nor through Sentinels or a Redis
     *     Cluster: there the rules that need it are not run, and say so.
     * @return the target
     */
    public static ComplianceTarget at(String name, String url, boolean faults) {
        Controls controls = faults ? GivenControls.of(url) : Controls.NONE;
        return ComplianceTarget.of(name, url, controls);
    }
}
