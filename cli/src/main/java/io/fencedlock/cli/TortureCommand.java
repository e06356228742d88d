package io.fencedlock.cli;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.servers.ServerUnavailableException;
import io.fencedlock.torture.Plan;
import io.fencedlock.torture.Progress;
import io.fencedlock.torture.Summary;
import io.fencedlock.torture.Torture;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Contending processes and faults on real stores. */
@Command(
        name = "torture",
        description =
                "Lets processes contend for locks and write through a fence, breaks servers, processes and connections under them, and"
                        + " checks every event.")
final class TortureCommand implements Callable<Integer> {
    /** Whether the resource checks tokens. */
    enum Fencing {
        ON,
        OFF
    }

    @Option(
            names = "--on",
            split = ",",
            paramLabel = "BACKEND",
            description = "Servers to start, separated by commas; see below. Default: redis,etcd,zookeeper.")
    private List<String> on = List.of();

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "A store of yours; may be given more than once. Only workers are harmed.")
    private List<String> urls = List.of();

    @Option(
            names = "--allow-server-faults",
            description = "On --url: locks of this run may be taken from their holders in the store, too.")
    private boolean serverFaults;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "FAULT",
            description = "What to break, separated by commas; see below. Default: all that the store allows.")
    private List<String> faults = List.of();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long on each backend, for example 0.5. Default: 1.")
    private double minutes = 1;

    @Option(names = "--workers", paramLabel = "N", description = "How many processes contend, at least 2. Default: 4.")
    private int workers = 4;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "How many threads of each process contend. Default: 2.")
    private int threads = 2;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Lease time. Default: 3s.")
    private Duration lease = Duration.ofSeconds(3);

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides which faults are caused, to whom, in which order and for how long. Default: any.")
    private @Nullable Long seed;

    @Option(
            names = "--fencing",
            paramLabel = "on|off",
            description = "Whether the resource checks tokens; off shows what is lost without. Default: on.")
    private Fencing fencing = Fencing.ON;

    @Option(
            names = "--tokens",
            paramLabel = "SOURCE",
            description =
                    "A value of the backend's option tokens, for example counter: shows what weaker tokens lose. Default: default.")
    private String tokens = "default";

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description =
                    "Writes for each backend a report, a summary and the histories that break a law, and torture.md for a page.")
    private @Nullable Path report;

    @Option(
            names = "--resume",
            description = "Leaves out the backends whose summary is in the --report folder already.")
    private boolean resume;

    @Option(names = "--json", description = "Prints one JSON object a line; at the end one summary for each backend.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    /** The words that --on and --faults take. */
    static String[] footer() {
        List<String> lines =
                new ArrayList<>(List.of("", "Backends: " + String.join(", ", Torture.backends()), "", "Faults:"));
        Torture.faults().forEach(fault -> lines.add(String.format("  %-20s  %s", fault.getKey(), fault.getValue())));
        lines.addAll(
                List.of(
                        "",
                        "The resource that is written to is in the coordinating process, out of reach of the faults. Each phase is faults, healing, and"
                                + " a last hold of each lock; then its history is checked. What the profile declares to be lost is counted apart, unless"
                                + " --tokens asks for weaker ones.",
                        "",
                        "Exit code: 0 if nothing was found, 1 if something was, 69 if servers could not be had, 2 for wrong input."));
        return lines.toArray(String[]::new);
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = json ? new JsonTorture(out) : new TextTorture(out);
        int exit = Exit.OK;
        List<Map<String, ?>> summaries = new ArrayList<>();
        List<Plan> plans = plans();
        for (Plan plan : plans) {
            try {
                Optional<Map<String, @Nullable Object>> known = resume ? TortureFolder.known(plan) : Optional.empty();
                Map<String, ?> fields = known.isPresent() ? known.get() : tortured(plan, progress, out);
                summaries.add(fields);
                exit = Math.max(exit, clean(fields) ? Exit.OK : Exit.NO);
            } catch (ServerUnavailableException e) {
                spec.commandLine().getErr().println("fencedlock: " + e.getMessage());
                exit = Math.max(exit, Exit.UNREACHABLE);
            } catch (LockConfigurationException e) {
                throw e;
            } catch (BackendUnavailableException e) {
                spec.commandLine().getErr().println("fencedlock: " + e.getMessage());
                exit = Math.max(exit, Exit.UNREACHABLE);
            } catch (IllegalStateException | UncheckedIOException | FencedLockException e) {
                spec.commandLine().getErr().println("fencedlock: " + plan.backend() + " broke off: " + e.getMessage());
                exit = Math.max(exit, Exit.INTERNAL);
            }
        }
        TortureFolder.joinPages(plans);
        if (json) {
            summaries.forEach(fields -> out.println(Json.object(fields)));
            out.flush();
        }
        return exit;
    }

    private Map<String, ?> tortured(Plan plan, Progress progress, PrintWriter out) throws InterruptedException {
        Summary summary = Torture.run(plan, progress);
        if (!json) {
            out.println();
            summary.lines().forEach(out::println);
            out.flush();
        }
        TortureFolder.keep(plan, summary);
        return summary.fields();
    }

    private static boolean clean(Map<String, ?> fields) {
        return List.of("staleWritesAccepted", "tokenViolations", "lostUpdates", "hangs", "leftovers", "otherViolations")
                .stream()
                .allMatch(name -> fields.get(name) instanceof Number number && number.longValue() == 0);
    }

    private List<Plan> plans() {
        if (resume && report == null) {
            throw CommandFailure.wrongInput("--resume needs --report, where the summaries are");
        }
        long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
        List<String> names = on.isEmpty() && urls.isEmpty() ? List.of("redis", "etcd", "zookeeper") : on;
        CommandFailure.requireKnown("--on", Torture.backends(), names);
        Map<String, Optional<String>> targets = new LinkedHashMap<>();
        names.forEach(name -> targets.put(name, Optional.empty()));
        urls.forEach(url -> targets.put(
                url.replaceFirst(":.*", "")
                        + (targets.containsKey(url.replaceFirst(":.*", "")) ? "-" + targets.size() : ""),
                Optional.of(url)));
        Duration time = Duration.ofMillis(Math.round(minutes * 60_000));
        List<Plan> plans = new ArrayList<>();
        targets.forEach((name, url) -> plans.add(new Plan(
                name,
                url,
                faults,
                time,
                workers,
                threads,
                chosen,
                fencing == Fencing.ON,
                tokens.toLowerCase(Locale.ROOT),
                lease,
                serverFaults,
                Optional.ofNullable(report))));
        return plans;
    }
}
