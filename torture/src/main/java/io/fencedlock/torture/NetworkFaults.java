package io.fencedlock.torture;

import io.fencedlock.compliance.history.Fault;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.torture.Nemesis.Healing;
import io.fencedlock.torture.Nemesis.Target;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** What can happen to connections between workers and servers. */
final class NetworkFaults {
    static final List<Nemesis> ALL = List.of(
            of("cut-worker", "one worker reaches no node", Arena::hasRoutes, NetworkFaults::cutWorker),
            of("cut-node", "no worker reaches one node", Arena::isCluster, scene -> cut(scene, List.of(scene.node()))),
            of(
                    "cut-majority",
                    "no worker reaches more than half of the nodes",
                    Arena::isCluster,
                    NetworkFaults::cutMajority),
            of(
                    "cut-all",
                    "no worker reaches any node",
                    Arena::hasRoutes,
                    scene -> cut(scene, scene.arena().nodes())),
            of("drop-replies", "requests arrive, their replies are lost", Arena::hasRoutes, NetworkFaults::dropReplies),
            of(
                    "half-open",
                    "servers have closed their connections, and the clients do not notice",
                    Arena::hasRoutes,
                    NetworkFaults::halfOpen),
            of("slow-network", "every byte is late by 20 to 120 ms", Arena::hasRoutes, NetworkFaults::slow),
            of("kill-connections", "all connections are reset, twice", Arena::hasRoutes, NetworkFaults::reset));

    private NetworkFaults() {}

    private static Nemesis of(String name, String summary, Predicate<Arena> fits, Nemesis.Deed deed) {
        return new Nemesis(name, summary, Target.NETWORK, fits, null, deed);
    }

    private static List<FaultProxy> all(Scene scene) {
        return scene.arena().proxies(scene.arena().nodes());
    }

    private static Healing cutWorker(Scene scene) throws InterruptedException {
        Hand worker = scene.worker();
        Runnable end = scene.recorder().fault(Fault.CUT, worker.name(), "");
        Route route = scene.arena().route(worker.seat());
        route.cut(scene.random().nextBoolean());
        return () -> {
            route.heal();
            end.run();
        };
    }

    /** Either refuses, or keeps what is sent and delivers it late: both are what a partition can look like. */
    private static void part(Scene scene, List<FaultProxy> proxies) {
        if (scene.random().nextBoolean()) {
            proxies.forEach(FaultProxy::refuse);
        } else {
            proxies.forEach(proxy -> proxy.set(io.fencedlock.servers.Fault.stall()));
        }
    }

    private static Healing cut(Scene scene, List<Server> nodes) {
        scene.storeFails();
        List<FaultProxy> proxies = scene.arena().proxies(nodes);
        part(scene, proxies);
        return () -> proxies.forEach(FaultProxy::heal);
    }

    private static Healing cutMajority(Scene scene) {
        List<Server> nodes = scene.arena().nodes();
        return cut(scene, nodes.subList(0, nodes.size() / 2 + 1));
    }

    /** The connections are of no use afterwards, nor is one that is made between their end and the healing: so none is let in. */
    private static Healing dropReplies(Scene scene) {
        scene.storeFails();
        List<FaultProxy> proxies = all(scene);
        proxies.forEach(proxy -> proxy.set(FaultProxy.Direction.TO_CLIENT, io.fencedlock.servers.Fault.drop()));
        return () -> {
            proxies.forEach(FaultProxy::refuse);
            proxies.forEach(FaultProxy::heal);
        };
    }

    private static Healing halfOpen(Scene scene) {
        scene.storeFails();
        List<FaultProxy> proxies = all(scene);
        proxies.forEach(proxy -> proxy.halfOpen(FaultProxy.Side.CLIENT));
        return () -> proxies.forEach(FaultProxy::heal);
    }

    private static Healing slow(Scene scene) {
        Duration delay = Duration.ofMillis(20 + scene.random().nextInt(100));
        List<FaultProxy> proxies = all(scene);
        proxies.forEach(proxy -> proxy.set(io.fencedlock.servers.Fault.delay(delay)));
        return () -> proxies.forEach(FaultProxy::heal);
    }

    private static Healing reset(Scene scene) {
        all(scene).forEach(FaultProxy::cut);
        return () -> all(scene).forEach(FaultProxy::cut);
    }
}
