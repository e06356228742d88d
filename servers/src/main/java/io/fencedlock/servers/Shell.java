package io.fencedlock.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Short-lived helper programs: run one to its end within a deadline. */
final class Shell {
    private Shell() {}

    /** What a program left: its exit code and all it printed. */
    record Result(int exitCode, String output) {
        boolean succeeded() {
            return exitCode == 0;
        }

        /** The last line that is not blank, for messages. */
        String lastLine() {
            return output.lines()
                    .filter(line -> !line.isBlank())
                    .reduce((a, b) -> b)
                    .orElse("no output")
                    .strip();
        }
    }

    static Result run(Duration limit, String... command) {
        return run(limit, List.of(command));
    }

    /** Runs a program; it is killed at the limit, and its exit code is then 124. */
    static Result run(Duration limit, List<String> command) {
        Path output = null;
        try {
            output = Files.createTempFile("fencedlock", ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().put("LC_ALL", "C");
            builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
            Process process = builder.start();
            process.getOutputStream().close();
            int exitCode = waitFor(process, limit);
            return new Result(exitCode, Files.readString(output, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return new Result(127, String.valueOf(e.getMessage()));
        } finally {
            delete(output);
        }
    }

    private static int waitFor(Process process, Duration limit) {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            return 124;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return 130;
        }
    }

    private static void delete(@org.jspecify.annotations.Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }

    /** The program of this name in the folders of PATH. */
    static Optional<Path> onPath(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** The text of a script, or a source, that lies beside this class. */
    static String resource(String name) {
        try (InputStream in = Shell.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "the resource " + name + " is missing in the jar of fencedlock-servers");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
