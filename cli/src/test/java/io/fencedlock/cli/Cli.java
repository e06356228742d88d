package io.fencedlock.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line as a user meets it: a process with two outputs and an exit code. */
public final class Cli {
    /** How it ended, and what it said. */
    public record Ended(int exitCode, String out, String err) {
        public List<String> lines() {
            return out.lines().filter(line -> !line.isBlank()).toList();
        }
    }

    private Cli() {}

    public static Process start(Path out, Path err, String... arguments) throws IOException {
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

    public static Ended run(String... arguments) throws IOException, InterruptedException {
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

    /** The same within this JVM, for what needs no process of its own; words are apart by a space each. */
    public static Ended say(String line) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(line.isEmpty() ? new String[0] : line.split(" "));
        return new Ended(exitCode, out.toString(), err.toString());
    }

    public static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
