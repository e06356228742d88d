package io.fencedlock.torture;

import io.fencedlock.TokenSurvival;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.torture.Nemesis.Healing;
import io.fencedlock.torture.Nemesis.Target;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What can happen to servers. */
final class ServerFaults {
    private static final long FAILOVER_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_MILLIS = 50;

    static final List<Nemesis> ALL = List.of(
            of("pause-server", "a node is stopped (SIGSTOP) and continued", Arena::isOurs, null, pause(Scene::node)),
            of(
                    "kill-server",
                    "a node is killed and started again with its data",
                    Arena::isOurs,
                    null,
                    kill(Scene::node)),
            of(
                    "pause-leader",
                    "the node that leads is stopped and continued",
                    Arena::isLed,
                    null,
                    pause(ServerFaults::leader)),
            of(
                    "kill-leader",
                    "the node that leads is killed and started again",
                    Arena::isLed,
                    null,
                    kill(ServerFaults::leader)),
            of("failover", "leadership is handed over in order", Arena::isLed, null, ServerFaults::failOver),
            of(
                    "lost-write-failover",
                    "replicas are cut off, the primary accepts more writes and is killed, and a replica is promoted",
                    Arena::losesWrites,
                    TokenSurvival.LOST_WRITE_FAILOVER,
                    ServerFaults::failOverWithLoss),
            of(
                    "wipe-server",
                    "a node that others do not replicate is killed and started again without its data",
                    arena -> arena.isOurs() && !arena.isLed(),
                    TokenSurvival.DATA_LOSS,
                    ServerFaults::wipe));

    private ServerFaults() {}

    private static Nemesis of(
            String name, String summary, Predicate<Arena> fits, @Nullable TokenSurvival attacks, Nemesis.Deed deed) {
        return new Nemesis(name, summary, Target.SERVER, fits, attacks, deed);
    }

    static Server leader(Scene scene) {
        List<Server> leaders = scene.arena().leaders();
        return leaders.isEmpty() ? scene.arena().leader() : scene.one(leaders);
    }

    private static Nemesis.Deed pause(Function<Scene, Server> whom) {
        return scene -> {
            Server node = whom.apply(scene);
            scene.storeFails();
            node.pause();
            return node::resume;
        };
    }

    private static Nemesis.Deed kill(Function<Scene, Server> whom) {
        return scene -> {
            Server node = whom.apply(scene);
            scene.storeFails();
            node.kill();
            return () -> node.restart(Data.KEEP);
        };
    }

    private static Healing failOver(Scene scene) throws InterruptedException {
        scene.storeFails();
        scene.arena().admin().failOver(scene.arena());
        return () -> {};
    }

    /** A replica that only stands still would find the writes in its socket later: its connection has to go as well. */
    private static Healing failOverWithLoss(Scene scene) throws InterruptedException {
        Arena arena = scene.arena();
        Server primary = leader(scene);
        List<Server> replicas = ((RedisAdmin) arena.admin()).replicasOf(primary, arena);
        scene.storeForgets();
        replicas.forEach(Server::pause);
        RedisAdmin.tell(primary, "CLIENT", "KILL", "TYPE", "replica");
        TimeUnit.MILLISECONDS.sleep(300 + scene.random().nextInt(400)); // writes that no replica sees
        primary.kill();
        replicas.forEach(Server::resume);
        awaitAnother(arena, primary);
        return () -> primary.restart(Data.KEEP);
    }

    private static void awaitAnother(Arena arena, Server than) throws InterruptedException {
        int count = arena.isSentinel() ? 1 : 3;
        long start = System.nanoTime();
        for (List<Server> now = arena.leaders(); now.size() < count || now.contains(than); now = arena.leaders()) {
            if (System.nanoTime() - start > FAILOVER_NANOS) {
                throw new IllegalStateException("no replica is promoted within 60 s after " + than + " was killed");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static Healing wipe(Scene scene) {
        scene.storeForgets();
        scene.node().restart(Data.WIPE);
        return () -> {};
    }
}
