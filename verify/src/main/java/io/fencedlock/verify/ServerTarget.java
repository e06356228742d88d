package io.fencedlock.verify;

import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.Controls;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;

/** Servers as targets of the suite, with every hook that makes sense for one server alone. */
public final class ServerTarget {

    private ServerTarget() {}

    /**
     * Starts a server for the suite, to be thrown away. Blocks until it serves.
     *
     * @param store Redis, ZooKeeper or etcd
     * @param options of the clients' URL, written as there: {@code tokens=counter}
     * @return the target, which ends the server when it is closed
     * @throws io.fencedlock.servers.ServerUnavailableException if there is no way to a server
     */
    public static ComplianceTarget start(Store store, String... options) {
        return of(Servers.start(store, ServerOptions.defaults().throwAway()), options);
    }

    /**
     * The same with a server that runs already.
     *
     * @param server a throw-away server, without TLS and password, closed by the target; it is restarted and emptied
     * @param options of the clients' URL, written as there: {@code tokens=counter}
     * @return the target, named after the store and the options
     */
    public static ComplianceTarget of(Server server, String... options) {
        String scheme = server.store().scheme();
        String query = options.length == 0 ? "" : "?" + String.join("&", options);
        String name = options.length == 0 ? scheme : scheme + " " + String.join(" ", options);
        return ComplianceTarget.of(name, server.url() + query, new ServerControls(server));
    }

    /**
     * A server of the user's. Only locks and values under names that nobody else has are touched, and removed.
     *
     * @param name the name in reports
     * @param url as for {@link io.fencedlock.FencedLocks#connect(String)}
     * @param faults whether what the suite does may also change what others on the server rely on: the counters under the URL's prefix are
     *     deleted, and all keys are listed. That works without TLS and password, on one host; else the rules that need it are not run.
     * @return the target
     */
    public static ComplianceTarget at(String name, String url, boolean faults) {
        Controls controls = faults ? GivenControls.of(url).orElse(Controls.NONE) : Controls.NONE;
        return ComplianceTarget.of(name, url, controls);
    }
}
