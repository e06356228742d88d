package io.fencedlock.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line as a user meets it: a process with two outputs and an exit code. */
final class Cli {
    /** How it ended. */
    record Ended(int exitCode, String out, String err) {
        List<String> lines() {
            return out.lines().filter(line -> !line.isBlank()).toList();
        }
    }

    private Cli() {}

    static Process start(Path out, Path err, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.fencedlock.cli.Main"));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    static Ended run(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("fencedlock-cli", ".out");
        Path err = Files.createTempFile("fencedlock-cli", ".err");
        try {
            Process process = start(out, err, arguments);
            if (!process.waitFor(4, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("does not end: " + List.of(arguments) + text(out) + text(err));
            }
            return new Ended(process.exitValue(), text(out), text(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
