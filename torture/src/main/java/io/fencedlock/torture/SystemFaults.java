package io.fencedlock.torture;

import io.fencedlock.TokenSurvival;
import io.fencedlock.servers.Disturbance;
import io.fencedlock.servers.Server;
import io.fencedlock.torture.Nemesis.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What takes the powers of the system: not every machine grants them. */
final class SystemFaults {
    private static final int WRITES_PER_SECOND = 10;

    static final List<Nemesis> ALL = List.of(
            new Nemesis(
                    "part-node",
                    "one node is cut off from the others; workers still reach all of them",
                    Target.SERVER,
                    Arena::isLed,
                    SystemFaults::cannotPart,
                    TokenSurvival.LOST_WRITE_FAILOVER,
                    part(Scene::node)),
            new Nemesis(
                    "part-leader",
                    "the node that leads is cut off from the others; workers still reach all of them",
                    Target.SERVER,
                    Arena::isLed,
                    SystemFaults::cannotPart,
                    TokenSurvival.LOST_WRITE_FAILOVER,
                    part(ServerFaults::leader)),
            new Nemesis(
                    "slow-disk",
                    "the disk of the node that leads, or of the only one, takes ten writes a second",
                    Target.STORE,
                    Arena::isOurs,
                    SystemFaults::cannotSlowDown,
                    null,
                    scene -> {
                        scene.storeFails();
                        Disturbance slow = ServerFaults.leader(scene).slowDisk(WRITES_PER_SECOND);
                        return slow::close;
                    }));

    private SystemFaults() {}

    private static Nemesis.Deed part(Function<Scene, Server> whom) {
        return scene -> {
            Server node = whom.apply(scene);
            scene.storeFails();
            Disturbance parted = scene.arena().isolate(node);
            return parted::close;
        };
    }

    private static Optional<String> cannotPart(Arena arena) {
        return obstacle(() -> arena.isolate(arena.nodes().get(0)));
    }

    private static Optional<String> cannotSlowDown(Arena arena) {
        return obstacle(() -> arena.nodes().get(0).slowDisk(WRITES_PER_SECOND));
    }

    private static Optional<String> obstacle(Supplier<Disturbance> disturbance) {
        try {
            disturbance.get().close();
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
