package io.fencedlock.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * One small shell process for each JVM, which outlives it by a moment: it kills the processes that the JVM started and removes
 * its folder of server data. A shutdown hook could not do that, since a JVM that is killed (-9) runs none.
 */
final class Watchdog {
    private static final class Holder {
        static final Watchdog INSTANCE = new Watchdog();
    }

    private final Path base;
    private final Writer words;
    private final BufferedReader answers;

    private Watchdog() {
        base = Path.of(
                System.getProperty("java.io.tmpdir"),
                "fencedlock-servers-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID());
        try {
            Process shell = new ProcessBuilder(command())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            words = shell.outputWriter(StandardCharsets.UTF_8);
            answers = shell.inputReader(StandardCharsets.UTF_8);
            Files.createDirectories(base);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a shell (sh) that cleans up after this JVM", e);
        }
    }

    static Watchdog get() {
        return Holder.INSTANCE;
    }

    /** An own session, where the system has a tool for that: a Ctrl-C at the terminal is not for the watchdog. */
    private List<String> command() {
        List<String> command = new ArrayList<>();
        if (Shell.onPath("setsid").isPresent()) {
            command.add("setsid");
        }
        command.addAll(List.of("sh", "-c", Shell.resource("watchdog.sh"), "fencedlock-watchdog", base.toString()));
        return command;
    }

    /** A new empty folder that does not outlive this JVM. */
    Path newFolder(String name) {
        try {
            return Files.createTempDirectory(base, name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void watch(long pid) {
        tell("watch " + pid);
    }

    void forget(long pid) {
        tell("forget " + pid);
    }

    private synchronized void tell(String line) {
        try {
            words.write(line + "\n");
            words.flush();
            if (answers.readLine() == null) {
                throw new IOException("the watchdog shell of this JVM has ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
