package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.Release;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Frees a lock whose holder is stuck. */
@Command(
        name = "release",
        description =
                "Frees a lock that is stuck: removes the entry with exactly the token that inspect showed, no other.",
        footer = {
            "",
            "Its holder is told of the loss, but may still be at work: what it writes is refused only by a resource that checks tokens.",
            "Exit code 0 when released, 1 when the lock is free or held with another token, 69 if the backend is not reached."
        })
final class ReleaseCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Option(names = "--name", required = true, paramLabel = "LOCK", description = "The lock's name.")
    private String name = "";

    @Option(names = "--token", required = true, paramLabel = "N", description = "The token that inspect showed.")
    private long token;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (token <= 0) {
            throw CommandFailure.wrongInput("--token takes the positive number that inspect shows, found " + token);
        }
        Release found;
        try (FencedLocks locks = target.open(null)) {
            found = Target.patiently(() -> locks.forceRelease(name, token));
        }
        if (found != Release.RELEASED) {
            throw new CommandFailure(Exit.NO, name + " is not held with token " + token + "; nothing was changed");
        }
        spec.commandLine().getOut().println(name + ": released the entry with token " + token);
        return Exit.OK;
    }
}
