package io.fencedlock.torture;

import io.fencedlock.torture.Nemesis.Target;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All of them, by name. */
final class Nemeses {
    static final List<Nemesis> ALL = Stream.of(
                    workers().stream(), ServerFaults.ALL.stream(), NetworkFaults.ALL.stream(), StoreFaults.ALL.stream())
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
                            worker.close();
                            return () -> scene.crew().replace(worker);
                        }));
    }

    /** Those that were asked for, or all that fit the store. */
    static List<Nemesis> chosen(List<String> names, Arena arena) {
        if (names.isEmpty()) {
            return ALL.stream().filter(nemesis -> nemesis.fits().test(arena)).toList();
        }
        return names.stream().map(name -> fitting(name, arena)).toList();
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
        return nemesis;
    }
}
