package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lifts a backend's tokens. */
@Command(
        name = "raise",
        description =
                "Sees to it that every later token is above a number: after a store lost its data, or before moving to another backend.",
        footer = {"", "Harmless to repeat; tokens never go down."})
final class RaiseCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Option(names = "--to", required = true, paramLabel = "N", description = "The number.")
    private long floor;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (floor <= 0) {
            throw CommandFailure.wrongInput("--to takes a positive number, found " + floor);
        }
        try (FencedLocks locks = target.open(null)) {
            Target.patiently(() -> {
                locks.raiseTokens(floor);
                return true;
            });
        }
        spec.commandLine().getOut().println("every later token is above " + floor);
        return Exit.OK;
    }
}
