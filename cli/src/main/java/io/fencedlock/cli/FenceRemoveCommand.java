package io.fencedlock.cli;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Forgets a mark. */
@Command(
        name = "remove",
        description = "Removes a mark. From then on the fence refuses nobody, until somebody writes.",
        footer = {"", "Exit code 0; 1 if there was no mark; 69 if the store is not reached."})
final class FenceRemoveCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Option(names = "--resource", required = true, paramLabel = "R", description = "What is guarded.")
    private String resource = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Optional<FenceMark> before;
        boolean removed;
        try (Fence fence = target.reachFence()) {
            before = fence.mark(resource);
            removed = fence.remove(resource);
        }
        if (!removed) {
            throw new CommandFailure(Exit.NO, resource + " has no mark; nothing was changed");
        }
        String what = before.map(mark -> " of token " + mark.token()).orElse("");
        spec.commandLine().getOut().println(resource + ": removed the mark" + what);
        return Exit.OK;
    }
}
