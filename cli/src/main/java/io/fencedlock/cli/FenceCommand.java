package io.fencedlock.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Work on the marks of a store's fences. */
@Command(
        name = "fence",
        description =
                "Works on the marks that fences keep in a store: for each resource the highest token accepted. (Those in a SQL database are rows of the table fencedlock_fence.)",
        subcommands = {
            FenceListCommand.class,
            FenceRaiseCommand.class,
            FenceRemoveCommand.class,
            FenceExpireCommand.class
        })
final class FenceCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "fence takes a subcommand: list, raise, remove or expire");
    }
}
