package io.fencedlock.cli;

import io.fencedlock.servers.ServerUnavailableException;
import io.fencedlock.torture.Succession;
import io.fencedlock.torture.Torture;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How long a waiter waits when holder and leader die together. */
@Command(
        name = "succession",
        description =
                "Kills the holder of a lock and the node that leads at once, and measures when a waiter has the lock.",
        footer = {
            "",
            "The usual wait may be as long as the lease, two elections and 1 s; the longest as the lease, three elections and 2 s. An election is the"
                    + " time in which another node leads: the median of what is measured.",
            "",
            "Exit code: 0 if both limits are kept, 1 if not, 69 if servers could not be had, 2 for wrong input."
        })
final class SuccessionCommand implements Callable<Integer> {
    @Option(
            names = "--on",
            split = ",",
            paramLabel = "BACKEND",
            description =
                    "Servers to start: redis-sentinel, redis-cluster, etcd-3, zookeeper-3, separated by commas. Default: all.")
    private List<String> on = Torture.withLeaders();

    @Option(names = "--tries", paramLabel = "N", description = "How often on each backend. Default: 20.")
    private int tries = 20;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Lease time. Default: 3s.")
    private Duration lease = Duration.ofSeconds(3);

    @Option(names = "--seed", paramLabel = "N", description = "Decides how long each holder holds before. Default: 1.")
    private long seed = 1;

    @Option(names = "--json", description = "Prints one JSON object a line.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        CommandFailure.requireKnown("--on", Torture.withLeaders(), on);
        PrintWriter out = spec.commandLine().getOut();
        int exit = Exit.OK;
        for (String backend : on) {
            try {
                exit = Math.max(exit, measured(backend, out) ? Exit.OK : Exit.NO);
            } catch (ServerUnavailableException e) {
                spec.commandLine().getErr().println("fencedlock: " + e.getMessage());
                exit = Math.max(exit, Exit.UNREACHABLE);
            }
        }
        return exit;
    }

    private boolean measured(String backend, PrintWriter out) throws InterruptedException {
        Succession all = Torture.succession(backend, tries, lease, seed, one -> tell(out, backend, one));
        if (json) {
            print(out, fields(all));
        } else {
            out.printf(
                    "%s (%s), lease %s, %d tries, seed %d: another node leads after %s; the waiter has the lock after %s in the median (%s allowed),"
                            + " %s at worst (%s allowed)%n%n",
                    backend,
                    all.place(),
                    DurationConverter.shown(all.lease()),
                    all.tries().size(),
                    all.seed(),
                    seconds(all.election()),
                    seconds(all.median()),
                    seconds(all.medianLimit()),
                    seconds(all.worst()),
                    seconds(all.worstLimit()));
            out.flush();
        }
        return all.kept();
    }

    private void tell(PrintWriter out, String backend, Succession.Try one) {
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("event", "try");
            fields.put("backend", backend);
            fields.put("electionMillis", one.election().toMillis());
            fields.put("grantMillis", one.grant().toMillis());
            print(out, fields);
        } else {
            out.printf(
                    "%s: another node leads after %s, the waiter has the lock after %s%n",
                    backend, seconds(one.election()), seconds(one.grant()));
            out.flush();
        }
    }

    private static void print(PrintWriter out, Map<String, Object> fields) {
        out.println(Json.object(fields));
        out.flush();
    }

    private static Map<String, Object> fields(Succession all) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event", "summary");
        fields.put("backend", all.backend());
        fields.put("seed", all.seed());
        fields.put("leaseMillis", all.lease().toMillis());
        fields.put("tries", all.tries().size());
        fields.put("electionMillis", all.election().toMillis());
        fields.put("medianMillis", all.median().toMillis());
        fields.put("medianLimitMillis", all.medianLimit().toMillis());
        fields.put("worstMillis", all.worst().toMillis());
        fields.put("worstLimitMillis", all.worstLimit().toMillis());
        fields.put("kept", all.kept());
        return fields;
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1000.0);
    }
}
