package io.fencedlock.cli;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.MarkInfo;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The marks of a store's fences. */
@Command(
        name = "list",
        description = "Lists the marks: resource, token, holder, and when each was last used.",
        footer = {
            "",
            "On Redis this looks at every key of the server.",
            "Exit code 0; 1 if --resource names one without a mark; 69 if the store is not reached."
        })
final class FenceListCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Option(names = "--resource", paramLabel = "R", description = "Only this one.")
    private @Nullable String resource;

    @Option(names = "--json", description = "Prints one JSON object a line.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    private boolean found;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (Fence fence = target.reachFence()) {
            fence.forEachMark(info -> {
                if (resource == null || resource.equals(info.resource())) {
                    found = true;
                    out.println(json ? Json.object(fields(info)) : line(info));
                }
            });
        }
        if (resource != null && !found) {
            throw new CommandFailure(Exit.NO, resource + " has no mark");
        }
        return Exit.OK;
    }

    private static String line(MarkInfo info) {
        FenceMark mark = info.mark();
        String holder =
                mark.holder() == null ? "raised, no holder" : mark.holder().value();
        return info.resource() + "  token " + mark.token() + "  " + holder + "  " + info.usedAt();
    }

    private static Map<String, @Nullable Object> fields(MarkInfo info) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("resource", info.resource());
        fields.put("token", info.mark().token());
        fields.put("holder", info.mark().holder());
        fields.put("usedAt", info.usedAt());
        return fields;
    }
}
