package io.fencedlock.cli;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lifts a mark. */
@Command(
        name = "raise",
        description = "Lets only tokens above a number pass, whoever their holder is. A higher mark stays.",
        footer = {"", "Harmless to repeat."})
final class FenceRaiseCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Option(names = "--resource", required = true, paramLabel = "R", description = "What is guarded.")
    private String resource = "";

    @Option(names = "--to", required = true, paramLabel = "N", description = "The number.")
    private long token;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (token <= 0) {
            throw CommandFailure.wrongInput("--to takes a positive number, found " + token);
        }
        FenceMark after;
        try (Fence fence = target.reachFence()) {
            after = fence.raise(resource, token);
        }
        String stays = after.holder() == null ? "" : ", and its holder's own; the mark was higher and stays";
        spec.commandLine().getOut().println(resource + ": only tokens above " + after.token() + " pass" + stays);
        return Exit.OK;
    }
}
