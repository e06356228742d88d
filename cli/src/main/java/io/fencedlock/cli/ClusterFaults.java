package io.fencedlock.cli;

import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Topology;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Kills the leader of a cluster. Used by one thread. */
final class ClusterFaults implements Faults {
    private static final Duration WHOLE = Duration.ofSeconds(60);

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
