package io.fencedlock.torture;

import io.fencedlock.servers.Server;
import io.fencedlock.torture.Nemesis.Healing;
import io.fencedlock.torture.Nemesis.Target;
import java.time.Duration;
import java.util.List;

/** What can happen to wall clocks; monotonic ones go on. */
final class ClockFaults {
    /** How far a clock is stepped at most, in lease times. */
    static final int FARTHEST = 2;

    static final Nemesis SERVER = new Nemesis(
            "step-server-clock",
            "the wall clock of the node that leads, or of the only one, is stepped forward or back, and set right again",
            Target.STORE,
            Arena::isOurs,
            Arena::serverClockObstacle,
            null,
            ClockFaults::stepServer);

    static final List<Nemesis> ALL = List.of(
            new Nemesis(
                    "step-worker-clock",
                    "a worker's wall clock is stepped forward or back, and set right again",
                    Target.WORKER,
                    arena -> true,
                    arena -> Hand.clockObstacle(),
                    null,
                    ClockFaults::stepWorker),
            SERVER);

    private ClockFaults() {}

    /** Redis ends leases by this clock; ZooKeeper asks it for nothing that matters. */
    private static Healing stepServer(Scene scene) {
        Server node = ServerFaults.leader(scene);
        Duration by = step(scene);
        if (scene.arena().isRedis()) {
            scene.storeForgets();
        }
        node.stepClock(by);
        return () -> node.stepClock(by.negated());
    }

    /** Excuses nothing. */
    private static Healing stepWorker(Scene scene) throws InterruptedException {
        Hand worker = scene.worker();
        Duration by = step(scene);
        worker.stepClock(by);
        return () -> worker.stepClock(by.negated());
    }

    private static Duration step(Scene scene) {
        Duration by =
                Duration.ofMillis(1 + scene.random().nextInt((int) scene.lease().toMillis() * FARTHEST));
        return scene.random().nextBoolean() ? by : by.negated();
    }
}
