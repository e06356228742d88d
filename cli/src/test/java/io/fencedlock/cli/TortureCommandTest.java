package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.torture.Torture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command torture, as a user or a script meets it. */
class TortureCommandTest {

    @TempDir
    private Path folder;

    /** The short seeded run of every build: with the fence on nothing is found. */
    @Test
    void endsWithASummary_andWithZeroWhenNothingIsFound() throws Exception {
        List<String> arguments = List.of(
                "torture",
                "--on",
                "redis",
                "--faults",
                "pause-worker,kill-server,kill-connections",
                "--minutes",
                "0.07",
                "--seed",
                "1",
                "--lease",
                "1s",
                "--workers",
                "3",
                "--report",
                folder.toString(),
                "--json");
        Cli.Ended ended = Cli.run(arguments.toArray(String[]::new));
        assertThat(ended.exitCode()).as(ended.out() + ended.err()).isZero();
        String last = ended.lines().get(ended.lines().size() - 1);
        Map<String, @Nullable Object> summary = Json.parse(last);
        assertThat(summary)
                .containsEntry("event", "summary")
                .containsEntry("backend", "redis")
                .containsEntry("seed", 1L);
        assertThat(List.of("staleWritesAccepted", "tokenViolations", "lostUpdates", "hangs", "leftovers", "declared"))
                .allSatisfy(name -> assertThat(summary).containsEntry(name, 0L));
        assertThat((Long) summary.get("grants")).isPositive();
        assertThat((Long) summary.get("faults")).isPositive();
        assertThat(Files.readString(folder.resolve("redis.txt"))).contains("grants", "median");

        String[] resumed = java.util.stream.Stream.concat(arguments.stream(), java.util.stream.Stream.of("--resume"))
                .toArray(String[]::new);
        assertThat(Cli.run(resumed).lines()).containsExactly(last);
    }

    @Test
    void help_listsBackendsAndFaults() throws IOException, InterruptedException {
        String help = Main.commandLine()
                .getSubcommands()
                .get("torture")
                .getUsageMessage()
                .replaceAll("\\s+", " ");
        assertThat(help).contains(Torture.backends());
        assertThat(Torture.faults())
                .isNotEmpty()
                .allSatisfy(fault -> assertThat(help)
                        .contains(fault.getKey(), fault.getValue().replaceAll("\\s+", " ")));
    }
}
