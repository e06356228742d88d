package io.fencedlock.cli.replay;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.cli.CommandFailure;
import io.fencedlock.cli.Exit;
import io.fencedlock.cli.TokenSource;
import io.fencedlock.cli.Tokens;
import io.fencedlock.servers.ServerUnavailableException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays the timelines of the article on real stores. */
@Command(
        name = "replay",
        description =
                "Replays a timeline with three workers, each a process of its own, on real stores, and prints what happened.",
        footer = {
            "",
            "Without --url the servers are thrown away afterwards. On a server of yours only one lock and one value are touched, under names"
                    + " that nobody else has, and removed.",
            "",
            "Exit code: 0 if every run ended as fencing promises, 1 if not, 69 if a backend or server could not be had, 2 for wrong input."
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final List<String> BACKENDS = List.of("redis", "zookeeper", "etcd", "memory");
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final double SMALLEST_SCALE = 0.5;
    private static final double LARGEST_SCALE = 60;

    /** Which runs to make. */
    enum Fencing {
        ON,
        OFF,
        BOTH;

        List<Boolean> runs() {
            return switch (this) {
                case ON -> List.of(true);
                case OFF -> List.of(false);
                case BOTH -> List.of(false, true);
            };
        }
    }

    @Parameters(arity = "0..*", paramLabel = "SCENARIO", description = "Which ones; all for all of them.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Lists the scenarios.")
    private boolean list;

    @Option(
            names = "--on",
            split = ",",
            paramLabel = "BACKEND",
            description =
                    "redis, zookeeper, etcd (throw-away servers) or memory, separated by commas. Default: the first three, and all four for all.")
    private List<String> on = List.of();

    @Option(names = "--url", paramLabel = "URL", description = "A server of yours; may be given more than once.")
    private List<String> urls = List.of();

    @Option(
            names = "--fencing",
            paramLabel = "on|off|both",
            description = "Whether the resource checks tokens. Default: both.")
    private Fencing fencing = Fencing.BOTH;

    @Option(
            names = "--tokens",
            paramLabel = "default|textbook|both",
            description =
                    "The library's tokens, or the store's bare counter, which begins at 1 in articles. Default: default.")
    private Tokens tokens = Tokens.DEFAULT;

    @Option(
            names = "--scale",
            paramLabel = "X",
            description = "Multiplies the times of the article, a lease of 1 s: from 0.5 to 60. Default: 1. A backend"
                    + " whose smallest lease is longer takes that.")
    private double scale = 1;

    @Option(
            names = "--allow-server-faults",
            description =
                    "Also plays on the servers of --url what deletes all locks and counters of this library there.")
    private boolean serverFaults;

    @Option(
            names = "--json",
            description = "Prints one JSON object a line; the last ones tell how each scenario went on each backend.")
    private boolean json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Writes a page with a picture of each run, too. A file that is there is replaced.")
    private @Nullable Path html;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            Scenarios.all().forEach(s -> out.printf("%-25s %s%n", s.name(), s.summary()));
            return Exit.OK;
        }
        if (names.isEmpty()) {
            throw CommandFailure.wrongInput("a scenario is missing; --list lists them");
        }
        List<Scenario> scenarios = names.stream()
                .flatMap(name -> Scenarios.named(name).stream())
                .distinct()
                .toList();
        on.forEach(ReplayCommand::checkBackend);
        if (!(scale >= SMALLEST_SCALE && scale <= LARGEST_SCALE)) {
            throw CommandFailure.wrongInput("--scale takes a number from 0.5 to 60, found " + scale);
        }
        Timeline timeline = json ? new JsonTimeline(out) : new TextTimeline(out);
        Director director = new Director(html == null ? timeline : new Both(timeline, new HtmlTimeline(html, typed())));
        Duration lease = Duration.ofNanos(Math.round(LEASE.toNanos() * scale));
        try (Programme programme = new Programme(director, lease, serverFaults)) {
            play(programme, director, scenarios);
        }
        director.sumUp();
        return director.exitCode();
    }

    /** The command as it was given, without what may be secret in a URL. */
    private String typed() {
        return "fencedlock "
                + spec.commandLine().getParent().getParseResult().originalArgs().stream()
                        .map(word -> word.contains("://")
                                ? word.replaceFirst("//.*@", "//").replaceFirst("\\?.*", "?…")
                                : word)
                        .collect(Collectors.joining(" "));
    }

    private void play(Programme programme, Director director, List<Scenario> scenarios) throws InterruptedException {
        List<Scenario> playable = new ArrayList<>();
        for (Scenario one : scenarios) {
            notWith(one).ifPresentOrElse(why -> director.notPlayed(one, "any", why), () -> playable.add(one));
        }
        for (Programme.House house : houses()) {
            for (TokenSource source : tokens.sources()) {
                try {
                    programme.play(house, playable, source, fencing.runs());
                } catch (BackendUnavailableException | OutcomeUnknownException | ServerUnavailableException e) {
                    spec.commandLine().getErr().println("fencedlock: " + e.getMessage());
                    director.failed(Exit.UNREACHABLE);
                }
            }
        }
    }

    private Optional<String> notWith(Scenario one) {
        return fencing.runs().stream().anyMatch(one.fencing()::contains)
                ? Optional.empty()
                : Optional.of(
                        one.name() + " is played with fencing " + (one.fencing().get(0) ? "on" : "off") + " only");
    }

    private List<Programme.House> houses() {
        List<String> standard = names.contains(Scenarios.ALL) ? BACKENDS : BACKENDS.subList(0, 3);
        List<Programme.House> houses = new ArrayList<>();
        for (String backend : on.isEmpty() && urls.isEmpty() ? standard : on) {
            houses.add(Programme.throwAway(backend));
        }
        urls.forEach(url -> houses.add(Programme.at(url)));
        return houses;
    }

    static void checkBackend(String backend) {
        if (!BACKENDS.contains(backend)) {
            throw CommandFailure.wrongInput(
                    "--on takes " + String.join(", ", BACKENDS) + ", found \"" + backend + "\"");
        }
    }
}
