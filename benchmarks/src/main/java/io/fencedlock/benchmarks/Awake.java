package io.fencedlock.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps every processor awake while something is measured, with loops that run only where nothing else wants to: what a sleeping processor takes to wake,
 * far more than a request in a virtual machine and never twice the same, is not what is compared. The loops end with this process.
 */
final class Awake implements AutoCloseable {

    /** Looks now and then whether its parent is still there. */
    private static final String LOOP =
            "while kill -0 $PPID 2>/dev/null; do i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done; done";

    private final List<Process> loops = new ArrayList<>();

    /** Begins; without {@code chrt}, a program of Linux, nothing is kept awake. */
    static Awake keep() {
        Awake awake = new Awake();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            try {
                awake.loops.add(new ProcessBuilder("chrt", "--idle", "0", "sh", "-c", LOOP).start());
            } catch (IOException e) {
                awake.close();
                break;
            }
        }
        return awake;
    }

    /** Whether processors are kept awake, for the report. */
    String state() {
        boolean all = !loops.isEmpty() && loops.stream().allMatch(Process::isAlive);
        return all ? "kept awake by loops of the idle class" : "left to sleep";
    }

    @Override
    public void close() {
        loops.forEach(Process::destroyForcibly);
        loops.clear();
    }
}
