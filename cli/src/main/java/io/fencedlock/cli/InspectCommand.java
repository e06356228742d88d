package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.HolderInfo;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Who holds a lock. */
@Command(
        name = "inspect",
        description =
                "Tells who holds a lock: host and process, since when, its token, the remaining time, and how many wait.",
        footer = {
            "",
            "Exit code 0 whether the lock is held or free; 69 if the backend is not reached, 2 for wrong input."
        })
final class InspectCommand implements Callable<Integer> {
    @Mixin
    private Target target = new Target();

    @Option(names = "--name", required = true, paramLabel = "LOCK", description = "The lock's name.")
    private String name = "";

    @Option(names = "--json", description = "Prints one JSON object; a free lock is {\"held\":false}.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Optional<HolderInfo> holder;
        try (FencedLocks locks = target.open(null)) {
            holder = Target.patiently(() -> locks.inspect(name));
        }
        PrintWriter out = spec.commandLine().getOut();
        Map<String, Object> fields = holder.map(InspectCommand::known).orElse(Map.of());
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("held", holder.isPresent());
            line.putAll(fields);
            out.println(Json.object(line));
        } else {
            out.println(name + ": " + (holder.isPresent() ? "held" : "free"));
            fields.forEach((field, value) -> out.printf("  %-12s %s%n", field, value));
        }
        return Exit.OK;
    }

    private static Map<String, Object> known(HolderInfo holder) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("token", holder.token());
        holder.host().ifPresent(host -> fields.put("host", host));
        holder.pid().ifPresent(pid -> fields.put("pid", pid));
        holder.since().ifPresent(since -> fields.put("since", since.toString()));
        holder.remaining().map(Duration::toMillis).ifPresent(millis -> fields.put("remainingMs", millis));
        holder.waiters().ifPresent(waiters -> fields.put("waiters", waiters));
        return fields;
    }
}
