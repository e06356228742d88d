package io.fencedlock.torture;

import io.fencedlock.torture.Nemesis.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All of them, by name. */
final class Nemeses {
    static final List<Nemesis> ALL = Stream.of(
                    workers().stream(),
                    ServerFaults.ALL.stream(),
                    NetworkFaults.ALL.stream(),
                    StoreFaults.ALL.stream(),
                    SystemFaults.ALL.stream(),
                    ClockFaults.ALL.stream())
            .flatMap(some -> some)
            .toList();

    private Nemeses() {}

    private static List<Nemesis> workers() {
        return List.of(
                new Nemesis(
                        "pause-worker",
                        "a worker's process is stopped (SIGSTOP) and continued",
                        Target.WORKER,
                        arena -> true,
                        null,
                        scene -> {
                            Hand worker = scene.worker();
                            Runnable end = scene.pauses(worker);
                            worker.pause();
                            return () -> {
                                worker.resume();
                                end.run();
                            };
                        }),
                new Nemesis(
                        "kill-worker",
                        "a worker's process is killed (SIGKILL), and another one takes its place",
                        Target.WORKER,
                        arena -> true,
                        null,
                        scene -> {
                            Hand worker = scene.worker();
                            scene.dies(worker);
                            worker.kill();
                            return () -> scene.crew().replace(worker);
                        }));
    }

    /**
     * The nemeses of a run.
     *
     * @param possible those that are caused
     * @param skipped why others that make sense for the store cannot be had here, by name
     */
    record Chosen(List<Nemesis> possible, Map<String, String> skipped) {}

    /** Those that were asked for, or all that fit the store. */
    static Chosen chosen(List<String> names, Arena arena) {
        if (!names.isEmpty()) {
            return new Chosen(names.stream().map(name -> fitting(name, arena)).toList(), Map.of());
        }
        List<Nemesis> possible = new ArrayList<>();
        Map<String, String> skipped = new TreeMap<>();
        for (Nemesis nemesis : ALL) {
            if (nemesis.fits().test(arena)) {
                nemesis.obstacle()
                        .apply(arena)
                        .ifPresentOrElse(reason -> skipped.put(nemesis.name(), reason), () -> possible.add(nemesis));
            }
        }
        return new Chosen(possible, skipped);
    }

    static Nemesis named(String name) {
        return ALL.stream()
                .filter(nemesis -> nemesis.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fault is called \"" + name + "\"; there are "
                        + ALL.stream().map(Nemesis::name).collect(Collectors.joining(", "))));
    }

    private static Nemesis fitting(String name, Arena arena) {
        Nemesis nemesis = named(name);
        if (!nemesis.fits().test(arena)) {
            throw new IllegalArgumentException("the fault " + name + " cannot be caused on " + arena.place());
        }
        nemesis.obstacle().apply(arena).ifPresent(reason -> {
            throw new IllegalArgumentException(
                    "the fault " + name + " cannot be caused on " + arena.place() + ": " + reason);
        });
        return nemesis;
    }
}
