package io.fencedlock.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Work on a backend's tokens. */
@Command(name = "tokens", description = "Works on the tokens of a backend.", subcommands = RaiseCommand.class)
final class TokensCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "tokens takes a subcommand: raise");
    }
}
