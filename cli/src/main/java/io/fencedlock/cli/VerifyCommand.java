package io.fencedlock.cli;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.compliance.ComplianceReport;
import io.fencedlock.compliance.ComplianceRun;
import io.fencedlock.compliance.KnownDeviations;
import io.fencedlock.compliance.ReportWriter;
import io.fencedlock.compliance.Settings;
import io.fencedlock.compliance.SpecRule;
import io.fencedlock.servers.ServerUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the compliance suite and gives a verdict. */
@Command(
        name = "verify",
        description = "Runs the rules of SPEC.md against real stores and gives a verdict on each.",
        footer = {
            "",
            "With --on the servers are started for the run, restarted, emptied and thrown away. On a server of yours (--url) only locks and"
                    + " values under names that nobody else has are touched, and removed; rules that need more are not run, and the verdict is"
                    + " partial then.",
            "A failed rule says what was observed, where to look, and how to run it again with the same seed.",
            "",
            "Exit code: 0 pass, also with the deviations that a profile or --known declares; 1 a rule failed; 3 no verdict, as rules were not"
                    + " run; 69 a backend or server could not be had; 2 wrong input."
        })
final class VerifyCommand implements Callable<Integer> {

    @Option(
            names = "--on",
            split = ",",
            paramLabel = "BACKEND",
            description =
                    "Throw-away servers: redis, zookeeper, etcd; clusters of them: redis-sentinel, redis-cluster, redlock, zookeeper-3,"
                            + " etcd-3; or memory."
                            + " Separated by commas.")
    private List<String> on = List.of();

    @Option(names = "--url", paramLabel = "URL", description = "A server of yours; may be given more than once.")
    private List<String> urls = List.of();

    @Option(
            names = "--profile",
            paramLabel = "quick|full|soak",
            description =
                    "Each rule once (about a minute and a half a backend), with four times as many rounds, or with a hundred times as many (a quarter of an hour). Default: quick.")
    private Settings.Profile profile = Settings.Profile.QUICK;

    @Option(
            names = "--tokens",
            paramLabel = "default|textbook|both",
            description = "The library's tokens, or the store's bare counter. Default: default.")
    private Tokens tokens = Tokens.DEFAULT;

    @Option(
            names = "--rules",
            split = ",",
            paramLabel = "RULE",
            description = "Only these rules or chapters, for example TOK,FLT-3.")
    private List<String> rules = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "What chance is made from. Default: a new one.")
    private @Nullable Long seed;

    @Option(
            names = "--multiplier",
            paramLabel = "X",
            description = "Stretches all times and tolerances, for slow machines and far servers. Default: 1.")
    private double multiplier = 1;

    @Option(
            names = "--known",
            paramLabel = "FILE",
            description =
                    "Known failures, one a line: rule, last day, reason (TOK-6 2027-01-31 issue 7). They are shown, but do not fail.")
    private @Nullable Path known;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Writes compliance.html, compliance.json and one JUnit XML for each backend.")
    private @Nullable Path report;

    @Option(
            names = "--allow-server-faults",
            description = "Also deletes the counters of the URL's prefix on a server of yours, and lists its keys.")
    private boolean faults;

    @Option(names = "--json", description = "Prints one JSON object a line, at the end a summary for each backend.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<Candidate> candidates = candidates();
        Settings settings = settings();
        checkRules();
        makeReportDirectory();
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = json ? new JsonProgress(out) : new TextProgress(out);
        List<ComplianceReport> reports = new ArrayList<>();
        boolean unreachable = false;
        for (Candidate candidate : candidates) {
            try {
                reports.add(run(candidate, settings, progress));
            } catch (BackendUnavailableException | OutcomeUnknownException | ServerUnavailableException e) {
                spec.commandLine().getErr().println("fencedlock: " + e.getMessage());
                unreachable = true;
            }
        }
        write(reports);
        progress.end(reports);
        return exitCode(reports, unreachable);
    }

    private List<Candidate> candidates() {
        if (on.isEmpty() == urls.isEmpty()) {
            throw CommandFailure.wrongInput("verify takes either --on or --url");
        }
        List<Candidate> candidates = new ArrayList<>();
        for (String backend : on) {
            boolean both = tokens == Tokens.BOTH && backend.equals("memory"); // it has one source of tokens
            (both ? Tokens.DEFAULT : tokens).sources().forEach(source -> candidates.add(Candidate.on(backend, source)));
        }
        for (String url : urls) {
            tokens.sources().forEach(source -> candidates.add(Candidate.at(url, source, faults)));
        }
        return candidates;
    }

    private Settings settings() {
        Settings quick = Settings.quick();
        try {
            Map<String, String> deviations = known == null ? Map.of() : KnownDeviations.read(known);
            return new Settings(profile, seed == null ? quick.seed() : seed, multiplier, deviations);
        } catch (UncheckedIOException e) {
            throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
        }
    }

    private void checkRules() {
        List<SpecRule> all = SpecRule.all();
        for (String chosen : rules) {
            if (all.stream().noneMatch(rule -> isChosen(rule.id(), chosen))) {
                String chapters = all.stream()
                        .map(rule -> rule.id().replaceFirst("-.*", ""))
                        .distinct()
                        .collect(Collectors.joining(", "));
                throw CommandFailure.wrongInput(
                        "--rules takes rules of SPEC.md and chapters (" + chapters + "), found \"" + chosen + "\"");
            }
        }
    }

    private static boolean isChosen(String rule, String chosen) {
        String wanted = chosen.toUpperCase(Locale.ROOT);
        return rule.equals(wanted) || rule.startsWith(wanted + "-");
    }

    private void makeReportDirectory() {
        if (report != null) {
            try {
                Files.createDirectories(report);
            } catch (IOException e) {
                throw CommandFailure.wrongInput("--report takes a directory that can be made, found " + report);
            }
        }
    }

    private ComplianceReport run(Candidate candidate, Settings settings, Progress progress)
            throws InterruptedException {
        Candidate.Opened opened = candidate.opening().open();
        String backend = opened.target().name();
        progress.begin(backend, opened.server(), settings);
        String again = "./fencedlock verify " + candidate.arguments() + " --profile "
                + settings.profile().name().toLowerCase(Locale.ROOT) + " --seed " + settings.seed() + " --multiplier "
                + settings.multiplier() + " --rules ";
        return new ComplianceRun(opened.target(), settings)
                .only(rule -> rules.isEmpty() || rules.stream().anyMatch(chosen -> isChosen(rule, chosen)))
                .onResult(result -> progress.result(backend, result))
                .replay(rule -> again + rule)
                .run()
                .with("server", opened.server());
    }

    private void write(List<ComplianceReport> reports) {
        if (report == null || reports.isEmpty()) {
            return;
        }
        try {
            ReportWriter.write(reports, report);
        } catch (IOException e) {
            throw new UncheckedIOException("the reports could not be written to " + report, e);
        }
        spec.commandLine().getErr().println("fencedlock: reports are in " + report);
    }

    /** A broken rule is worse to miss than a backend that was not there. */
    private static int exitCode(List<ComplianceReport> reports, boolean unreachable) {
        List<Integer> codes =
                reports.stream().map(found -> found.verdict().exitCode()).toList();
        if (codes.contains(Exit.NO)) {
            return Exit.NO;
        }
        return unreachable
                ? Exit.UNREACHABLE
                : codes.stream().mapToInt(code -> code).max().orElse(Exit.OK);
    }
}
