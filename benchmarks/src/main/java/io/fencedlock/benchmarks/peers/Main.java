package io.fencedlock.benchmarks.peers;

import io.fencedlock.compliance.ComplianceReport;
import io.fencedlock.compliance.ComplianceRun;
import io.fencedlock.compliance.Outcome;
import io.fencedlock.compliance.RuleResult;
import io.fencedlock.compliance.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code benchmarks/peers}. What it finds is no failure: it exits with 0. */
@Command(
        name = "benchmarks/peers",
        mixinStandardHelpOptions = true,
        description =
                "Runs the compliance suite on lock libraries of others, on real servers, and writes what it found.")
final class Main implements Callable<Integer> {

    @Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Option(names = "--ways", split = ",", description = "Ways to use them, or their beginnings (default: all).")
    private List<String> ways = List.of();

    @Option(names = "--rules", split = ",", description = "Rules or their beginnings: TOK,EXC-2 (default: all).")
    private List<String> rules = List.of();

    @Option(names = "--write", description = "File for the report as Markdown (default: standard output).")
    private @Nullable Path write;

    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Finding> findings = new ArrayList<>();
        for (Way way : chosen()) {
            findings.add(run(way));
        }
        String text = PeersReport.markdown(findings);
        if (write == null) {
            System.out.print(text);
        } else {
            Files.writeString(write, text);
        }
        return 0;
    }

    private List<Way> chosen() {
        List<String> ids = Way.ALL.stream().map(Way::id).toList();
        for (String asked : ways) {
            if (ids.stream().noneMatch(id -> id.startsWith(asked))) {
                throw new ParameterException(
                        Objects.requireNonNull(spec).commandLine(),
                        "--ways takes " + String.join(", ", ids) + " or their beginnings, found " + asked);
            }
        }
        return Way.ALL.stream()
                .filter(way -> ways.isEmpty() || ways.stream().anyMatch(way.id()::startsWith))
                .toList();
    }

    private boolean asked(String rule) {
        return rules.isEmpty() || rules.stream().anyMatch(rule::startsWith);
    }

    /** A rule that fails is run again on a new server: a busy machine must not speak against a library. */
    private Finding run(Way way) {
        PeerTarget target = new PeerTarget(way);
        String server = target.server();
        ComplianceReport first = run(way, target, rule -> way.rules().test(rule) && asked(rule));
        Set<String> failed = first.results().stream()
                .filter(result -> result.outcome() == Outcome.FAILED)
                .map(result -> result.rule().id())
                .collect(Collectors.toSet());
        if (failed.isEmpty()) {
            return new Finding(way, server, first, Set.of());
        }
        Set<String> again = run(way, new PeerTarget(way), failed::contains).results().stream()
                .filter(result -> result.outcome() == Outcome.FAILED)
                .map(result -> result.rule().id())
                .collect(Collectors.toSet());
        failed.removeAll(again);
        return new Finding(way, server, first, failed);
    }

    private static ComplianceReport run(Way way, PeerTarget target, java.util.function.Predicate<String> rules) {
        return new ComplianceRun(target, Settings.quick())
                .only(rules)
                .onResult(result -> System.err.println(way.id() + " " + line(result)))
                .run();
    }

    private static String line(RuleResult result) {
        return result.rule().id() + " " + result.outcome() + " ("
                + result.took().toMillis() + " ms) " + Finding.observed(result);
    }
}
