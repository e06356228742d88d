package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Signals to processes of this machine, by process id: pause (SIGSTOP), resume (SIGCONT), kill (SIGKILL). For systems with POSIX signals.
 * Thread-safe. Each call blocks for some milliseconds; a process that does not exist is an {@link IllegalArgumentException}.
 */
public final class Processes {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private Processes() {}

    /**
     * Stops a process with SIGSTOP and returns when all of its threads stand still (where the system tells, as Linux does).
     *
     * @param pid the id of the process
     */
    public static void pause(long pid) {
        signal("STOP", pid);
        Wait.until(LIMIT, () -> "process " + pid + " does not stop", () -> standsStill(pid));
    }

    /** The state of a process is that of its first thread: others may still be on their way to stand still. */
    private static boolean standsStill(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.allMatch(
                    thread -> state(thread).map(s -> "RSD".indexOf(s) < 0).orElse(true));
        } catch (IOException | UncheckedIOException e) {
            return true; // it has just ended, or the system does not tell
        }
    }

    /**
     * Lets a paused process go on (SIGCONT); without effect on a running one.
     *
     * @param pid the id of the process
     */
    public static void resume(long pid) {
        signal("CONT", pid);
    }

    /** Stops a process and all of its descendants: PostgreSQL has a process for each connection. */
    static void pauseTree(long pid) {
        pause(pid); // the first: it starts no more of them
        descendants(pid).forEach(child -> whileAlive(child, Processes::pause));
    }

    static void resumeTree(long pid) {
        descendants(pid).forEach(child -> whileAlive(child, Processes::resume));
        resume(pid);
    }

    private static List<ProcessHandle> descendants(long pid) {
        return ProcessHandle.of(pid)
                .map(ProcessHandle::descendants)
                .orElse(Stream.empty())
                .toList();
    }

    private static void whileAlive(ProcessHandle process, LongConsumer signal) {
        try {
            signal.accept(process.pid());
        } catch (IllegalArgumentException e) {
            if (alive(process.pid())) {
                throw e;
            }
        }
    }

    /**
     * Kills a process and all of its descendants with SIGKILL. Without effect when it has ended already.
     *
     * @param pid the id of the process
     */
    public static void killTree(long pid) {
        ProcessHandle.of(pid).ifPresent(process -> {
            List<ProcessHandle> descendants = process.descendants().toList();
            process.destroyForcibly();
            descendants.forEach(ProcessHandle::destroyForcibly);
        });
    }

    static void signal(String signal, long pid) {
        Shell.Result result = Shell.run(LIMIT, "sh", "-c", "kill -" + signal + " \"$1\"", "sh", Long.toString(pid));
        if (result.exitCode() == 130) {
            throw new CancellationException("interrupted while sending SIG" + signal);
        }
        if (!result.succeeded()) {
            throw new IllegalArgumentException(
                    "cannot send SIG" + signal + " to process " + pid + ": " + result.lastLine());
        }
    }

    /** Whether the process runs or is paused: neither gone nor a zombie. */
    static boolean alive(long pid) {
        return state(Path.of("/proc", Long.toString(pid)))
                .map(state -> state != 'Z' && state != 'X')
                .orElseGet(() -> !Files.isDirectory(Path.of("/proc/self"))
                        && ProcessHandle.of(pid).isPresent());
    }

    /** The state letter of the file stat; empty for a process or thread that is gone, and on systems without /proc. */
    private static Optional<Character> state(Path folder) {
        try {
            String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(stat.charAt(stat.lastIndexOf(')') + 2)); // the name before it may hold anything
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether a process has a socket that listens on this TCP port; true when the system does not tell. */
    static boolean listensOn(long pid, int port) {
        Path sockets = Path.of("/proc", Long.toString(pid), "net", "tcp");
        if (!Files.isReadable(sockets)) {
            return !Files.isDirectory(Path.of("/proc/self"));
        }
        try (Stream<String> lines = Stream.concat(lines(sockets), lines(sockets.resolveSibling("tcp6")))) {
            String local = String.format(":%04X", port);
            List<String> owners = lines.map(line -> line.strip().split("\\s+", -1))
                    .filter(fields ->
                            fields.length > 9 && fields[1].endsWith(local) && fields[3].equals("0A")) // 0A: LISTEN
                    .map(fields -> "socket:[" + fields[9] + "]")
                    .toList();
            return openFiles(pid).anyMatch(owners::contains);
        } catch (IOException | UncheckedIOException e) {
            return false; // it has just ended
        }
    }

    private static Stream<String> lines(Path file) throws IOException {
        return Files.isReadable(file) ? Files.readAllLines(file).stream() : Stream.empty();
    }

    private static Stream<String> openFiles(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return files.toList().stream().map(Processes::target);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }
}
