package io.fencedlock.cli.replay;

import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Topology;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Kills the leader of a cluster. Used by one thread. */
final class ClusterFaults implements Faults {
    private static final Duration WHOLE = Duration.ofSeconds(60);
    /** Longer than any lease here. */
    private static final Duration JUMP = Duration.ofMinutes(2);

    private final Cluster cluster;
    private final Set<Server> paused = new HashSet<>();
    private final Set<Server> killed = new HashSet<>();

    ClusterFaults(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public boolean losesLastWrites() {
        return cluster.topology() == Topology.REDIS_SENTINEL;
    }

    /** Replicas that are paused, with their connections gone: else what the primary sent waits in those and is applied later. */
    @Override
    public void holdReplication() {
        if (!losesLastWrites()) {
            return; // a majority confirms each write, there is nothing to hold
        }
        Server primary = cluster.leader();
        cluster.nodes().stream()
                .filter(node -> !node.equals(primary) && !killed.contains(node))
                .forEach(replica -> {
                    replica.pause();
                    paused.add(replica);
                });
        RedisClient client = RedisClient.create(primary.url());
        try {
            client.connect().sync().clientKill(KillArgs.Builder.typeSlave());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @Override
    public void failOver() {
        Server leader = cluster.leader();
        leader.kill();
        killed.add(leader);
        resume();
        cluster.leader();
    }

    @Override
    public void wipeOneNode() {
        cluster.nodes().get(0).restart(Data.WIPE);
    }

    /** Where there are no such clocks, what they would do is done. */
    @Override
    public String jumpClocks() {
        List<Server> most = cluster.nodes().subList(0, cluster.nodes().size() / 2 + 1);
        try {
            most.forEach(node -> node.stepClock(JUMP));
            return "the clocks of three of five nodes jump forward by " + JUMP.toMinutes()
                    + " min: the entries end there";
        } catch (UnsupportedOperationException e) {
            most.stream()
                    .map(Server::contents)
                    .forEach(contents -> contents.keys().stream()
                            .filter(key -> key.contains("}:lock:"))
                            .forEach(contents::delete));
            return "the clocks of three of five nodes jump forward: the entries end there (they are deleted, as no clock can"
                    + " be stepped on this machine)";
        }
    }

    private void resume() {
        paused.forEach(Server::resume);
        paused.clear();
    }

    /** A majority is needed for the next time; a Redis replica is not, and would take long to be one again. */
    @Override
    public void heal() {
        resume();
        if (losesLastWrites()) {
            return;
        }
        killed.forEach(node -> node.restart(Data.KEEP));
        killed.clear();
        cluster.awaitWhole(WHOLE);
    }
}
