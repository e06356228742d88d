package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Work on a backend's tokens. */
@Command(name = "tokens", description = "Works on the tokens of a backend.")
final class TokensCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "tokens takes a subcommand: raise");
    }

    @Command(
            name = "raise",
            description =
                    "Sees to it that every later token is above a number: after a store lost its data, or before moving to another backend.",
            footer = {"", "Harmless to repeat; tokens never go down."})
    int raise(
            @Mixin Target target,
            @Option(names = "--to", required = true, paramLabel = "N", description = "The number.") long floor)
            throws InterruptedException {
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
