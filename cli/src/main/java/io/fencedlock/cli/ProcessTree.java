package io.fencedlock.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A command with everything it started. Children that left the tree (their parent ended, or they made themselves daemons) are known by a
 * mark in their environment, where the system shows it (Linux); elsewhere those seen before they left are remembered.
 */
final class ProcessTree {
    private static final String MARK = "FENCEDLOCK_RUN";
    private static final Duration KILL_LIMIT = Duration.ofSeconds(5);
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private final String mark;
    private final Process root;
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    private ProcessTree(String mark, Process root) {
        this.mark = mark;
        this.root = root;
    }

    static ProcessTree start(ProcessBuilder command) throws IOException {
        String id = UUID.randomUUID().toString();
        command.environment().put(MARK, id);
        return new ProcessTree(MARK + "=" + id, command.start());
    }

    Process root() {
        return root;
    }

    /** Those who live now. */
    synchronized List<ProcessHandle> members() {
        seen.add(root.toHandle());
        root.descendants().forEach(seen::add);
        marked().forEach(seen::add);
        for (ProcessHandle known : List.copyOf(seen)) {
            known.descendants().forEach(seen::add);
        }
        seen.removeIf(process -> !process.isAlive());
        return List.copyOf(seen);
    }

    private Stream<ProcessHandle> marked() {
        List<ProcessHandle> found = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            processes
                    .filter(this::hasMark)
                    .forEach(folder -> ProcessHandle.of(
                                    Long.parseLong(folder.getFileName().toString()))
                            .ifPresent(found::add));
        } catch (IOException e) {
            return Stream.empty(); // no /proc on this system
        }
        return found.stream();
    }

    private boolean hasMark(Path process) {
        if (!process.getFileName().toString().matches("\\d+")) {
            return false;
        }
        try {
            String environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            return List.of(environment.split("\0", -1)).contains(mark);
        } catch (IOException e) {
            return false; // another user's, or gone
        }
    }

    /** Sends a signal, by name without SIG, to all members. */
    void signal(String name) {
        List<ProcessHandle> members = members();
        if (name.equals("TERM")) {
            members.forEach(ProcessHandle::destroy);
            return;
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "sh", name));
        members.forEach(member -> command.add(Long.toString(member.pid())));
        try {
            new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            members.forEach(ProcessHandle::destroy);
        }
    }

    /** Kills all members, also those that are started meanwhile; false if some would not end. */
    boolean kill() {
        long start = System.nanoTime();
        for (List<ProcessHandle> alive = members(); !alive.isEmpty(); alive = members()) {
            if (System.nanoTime() - start > KILL_LIMIT.toNanos()) {
                return false;
            }
            alive.forEach(ProcessHandle::destroyForcibly);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    /** Waits until no member lives; false if one does after that time. */
    boolean awaitEnd(Duration limit) {
        long start = System.nanoTime();
        while (!members().isEmpty()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}
