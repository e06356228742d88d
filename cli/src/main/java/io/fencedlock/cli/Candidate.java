package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import io.fencedlock.verify.ServerTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Something to verify, which is there only while its turn lasts.
 *
 * @param arguments how it is named on the command line, without secrets
 * @param opening makes it
 */
record Candidate(String arguments, Opening opening) {

    /** Ready to be verified. */
    record Opened(ComplianceTarget target, String server) {}

    /** Starts or reaches it. */
    interface Opening {
        Opened open() throws InterruptedException;
    }

    /** What can be started to be verified. */
    static final List<String> NAMES = List.of(
            "redis",
            "zookeeper",
            "etcd",
            "redis-sentinel",
            "redis-cluster",
            "redlock",
            "zookeeper-3",
            "etcd-3",
            "memory");

    static Candidate on(String backend, TokenSource tokens) {
        if (!NAMES.contains(backend)) {
            throw CommandFailure.wrongInput("--on takes " + String.join(", ", NAMES) + ", found \"" + backend + "\"");
        }
        String arguments = "--on " + backend + (tokens == TokenSource.DEFAULT ? "" : " --tokens " + tokens.shown());
        String[] options = tokens.option(backend).stream()
                .map(option -> "tokens=" + option)
                .toArray(String[]::new);
        if (backend.equals("memory")) {
            return new Candidate(arguments, () -> new Opened(ComplianceTarget.memory(), "this process"));
        }
        String constant = backend.toUpperCase(Locale.ROOT).replace('-', '_');
        return new Candidate(
                arguments,
                Arrays.stream(Topology.values()).map(Enum::name).anyMatch(constant::equals)
                        ? () -> cluster(Topology.valueOf(constant), options)
                        : () -> server(Store.valueOf(constant), options));
    }

    private static Opened server(Store store, String... options) {
        Server server = ServerTarget.server(store);
        return new Opened(ServerTarget.of(server, options), server.version() + ", " + server.origin());
    }

    private static Opened cluster(Topology topology, String... options) {
        Cluster cluster = ServerTarget.cluster(topology);
        Server node = cluster.nodes().get(0);
        String nodes = cluster.nodes().size() + " nodes of " + node.version() + ", " + node.origin();
        return new Opened(ServerTarget.of(cluster, options), nodes);
    }

    static Candidate at(String url, TokenSource tokens, boolean faults) {
        String scheme = url.contains(":") ? url.substring(0, url.indexOf(':')) : url;
        String place = url.replaceFirst("//[^/?]*@", "//").replaceFirst("\\?.*", "");
        String arguments = "--url " + place + (url.contains("?") ? "?…" : "")
                + (tokens == TokenSource.DEFAULT ? "" : " --tokens " + tokens.shown())
                + (faults ? " --allow-server-faults" : "");
        return new Candidate(arguments, () -> {
            String backend = reach(url);
            String option = tokens.option(backend).map(name -> "tokens=" + name).orElse("");
            String whole = option.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + option;
            String name = option.isEmpty() ? scheme : scheme + " " + option;
            return new Opened(ServerTarget.at(name, whole, faults), place);
        });
    }

    /** The backend's name; fails before any rule is run. */
    private static String reach(String url) throws InterruptedException {
        try (FencedLocks probe = FencedLocks.configure().url(url).connect()) {
            if (probe.profile().backend().equals("memory")) {
                throw CommandFailure.wrongInput("memory: cannot be shared by processes; use --on memory");
            }
            Target.patiently(() -> probe.inspect("fencedlock-verify"));
            return probe.profile().backend();
        }
    }
}
