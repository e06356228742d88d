package io.fencedlock.cli;

import io.fencedlock.Fence;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Forgets marks that nobody uses any more. */
@Command(
        name = "expire",
        description =
                "Removes the marks that were not used for a time. Choose it longer than any holder can pause and still wake up: days.",
        footer = {"", "Prints how many were removed."})
final class FenceExpireCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Option(
            names = "--unused-for",
            required = true,
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "For example P30D; at least 1s.")
    private Duration unusedFor = Duration.ZERO;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        long expired;
        try (Fence fence = target.reachFence()) {
            expired = fence.expire(unusedFor);
        }
        spec.commandLine().getOut().println(expired + (expired == 1 ? " mark" : " marks") + " removed");
        return Exit.OK;
    }
}
