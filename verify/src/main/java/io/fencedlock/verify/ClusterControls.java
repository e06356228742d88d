package io.fencedlock.verify;

import io.fencedlock.FencedLocks;
import io.fencedlock.compliance.Controls;
import io.fencedlock.compliance.NotApplicable;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Detour;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.Resp;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** A throw-away cluster: its nodes are killed, paused and started again. Used by one rule at a time. */
final class ClusterControls implements Controls {

    private static final Duration WHOLE = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final String query;
    private final Map<FencedLocks, Detour> detours = new ConcurrentHashMap<>();
    private final Layout layout;
    private final String prefix;
    private final Set<Server> paused = new HashSet<>();
    private final Set<Server> killed = new HashSet<>();
    /** How much each leader had written when its replicas were held. */
    private final Map<Server, Long> written = new HashMap<>();

    ClusterControls(Cluster cluster, String query) {
        this.cluster = cluster;
        this.query = query;
        layout = Layout.of(cluster.topology().store());
        prefix = Layout.defaultPrefix(cluster.topology().store());
    }

    @Override
    public FencedLocks openBreakable(Duration lease) {
        Detour detour = cluster.detour();
        FencedLocks client = FencedLocks.configure()
                .url(detour.url() + query)
                .option("lease", lease.toMillis() + "ms")
                .connect();
        detours.put(client, detour);
        return client;
    }

    private Detour detour(FencedLocks client) {
        Detour detour = detours.get(client);
        if (detour == null) {
            throw new IllegalArgumentException("the client is not from openBreakable");
        }
        return detour;
    }

    @Override
    public void stall(FencedLocks client) {
        detour(client).set(Fault.stall());
    }

    @Override
    public void heal(FencedLocks client) {
        detour(client).heal();
    }

    @Override
    public void kill(FencedLocks client) {
        detour(client).cut();
    }

    /** Of the next request about a lock: a client also asks by itself who leads. */
    @Override
    public void loseNextReply(FencedLocks client) {
        detour(client).loseReply(request -> request.contains(prefix));
    }

    private boolean redis() {
        return cluster.topology().store() == Store.REDIS;
    }

    /** All nodes at once. A Redis that starts empty would have forgotten what makes it one of the cluster, so it is emptied before. */
    @Override
    public void restartServer(boolean keepData) {
        if (redis() && !keepData) {
            cluster.leaders().forEach(leader -> ask(leader, "FLUSHALL"));
        }
        cluster.nodes().forEach(Server::kill);
        Data data = redis() || keepData ? Data.KEEP : Data.WIPE;
        cluster.nodes().forEach(node -> node.restart(data));
        cluster.awaitWhole(WHOLE);
    }

    /** Replicas that are paused, with their connections gone: else what their primary sent waits in those and is applied later. */
    @Override
    public void holdReplication() {
        List<Server> leaders = cluster.leaders();
        cluster.nodes().stream()
                .filter(node -> !leaders.contains(node))
                .limit(redis() ? cluster.nodes().size() : 1) // of a quorum one may fall behind
                .forEach(this::pause);
        if (redis()) {
            leaders.forEach(leader -> {
                ask(leader, "CLIENT", "KILL", "TYPE", "replica");
                written.put(leader, offset(leader));
            });
        }
    }

    private void pause(Server node) {
        node.pause();
        paused.add(node);
    }

    /** Kills the leader, of several the one that has written most since its replicas were held; returns when another one leads. */
    @Override
    public void failOver() {
        if (cluster.topology() == Topology.REDLOCK) {
            throw new NotApplicable("independent nodes have no leader and no replica");
        }
        int leaders = cluster.leaders().size();
        Server leader = cluster.leaders().stream()
                .max(Comparator.comparingLong(node -> redis() ? offset(node) - written.getOrDefault(node, 0L) : 0))
                .orElseGet(cluster::leader);
        leader.kill();
        killed.add(leader);
        resume();
        long end = System.nanoTime() + WHOLE.toNanos();
        while (cluster.leaders().contains(leader) || cluster.leaders().size() < leaders) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "no node of " + cluster + " took over within " + WHOLE.toSeconds() + " s");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private void resume() {
        paused.forEach(Server::resume);
        paused.clear();
        written.clear();
    }

    @Override
    public void mend() {
        resume();
        killed.forEach(node -> node.restart(Data.KEEP));
        killed.clear();
        cluster.awaitWhole(WHOLE);
    }

    /** Every leader of Redis has keys of its own; the nodes of the other stores have all the same. */
    private List<Server> keepers() {
        return redis() ? cluster.leaders() : List.of(cluster.leader());
    }

    @Override
    public void loseCounter() {
        keepers().forEach(node -> layout.loseCounter(node.contents(), prefix));
    }

    @Override
    public long entries() {
        return keepers().stream()
                .mapToLong(node -> layout.entries(node.contents(), prefix))
                .sum();
    }

    @Override
    public void stepClock(Duration by) {
        cluster.nodes().forEach(node -> layout.stepClock(node, by));
    }

    @Override
    public boolean disposable() {
        return true;
    }

    @Override
    public void close() {
        detours.values().forEach(Detour::close);
        cluster.close();
    }

    private static long offset(Server redis) {
        return ask(redis, "INFO", "replication")
                .lines()
                .filter(line -> line.startsWith("master_repl_offset:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }

    private static String ask(Server redis, String... words) {
        try {
            return Resp.ask(redis.address(), words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
