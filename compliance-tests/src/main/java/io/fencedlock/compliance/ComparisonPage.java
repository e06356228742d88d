package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The comparison of backends for the docs, in Markdown: what their profiles promise, and what a run of the suite found. */
final class ComparisonPage {

    private final List<ComplianceReport> reports;
    private final StringBuilder text = new StringBuilder();

    ComparisonPage(List<ComplianceReport> reports) {
        this.reports = reports;
    }

    /** Clusters promise what their backend does: a page on nothing else is about what was found. */
    String write() {
        Map<String, BackendProfile> profiles = new LinkedHashMap<>();
        reports.forEach(report -> profiles.put(report.target(), report.profile()));
        boolean clusters = profiles.entrySet().stream()
                .allMatch(target -> target.getKey().startsWith(target.getValue().backend() + "-"));
        String targets = reports.stream()
                .map(report -> report.target().replaceFirst(" .*", ""))
                .distinct()
                .collect(Collectors.joining(","));
        text.append(clusters ? "# Clusters compared\n\n" : "# Backends compared\n\n")
                .append("Written by the compliance suite; do not edit. `./fencedlock verify --on ")
                .append(targets)
                .append(clusters ? "" : " --tokens both")
                .append(
                        " --report DIR`\nleaves this page in `DIR/backends.md`, beside the whole report. The rules are those of"
                                + " [SPEC.md](../SPEC.md).\n\n");
        if (!clusters) {
            text.append(PromisesTable.of(profiles)).append('\n');
        }
        text.append("## What the suite found\n\n");
        verdicts();
        faults();
        exceptions();
        return text.toString();
    }

    private void verdicts() {
        row("", ComplianceReport::target);
        text.append(Markdown.rule(reports.size() + 1));
        row("server", report -> report.environment().getOrDefault("server", "").replaceFirst(",.*", ""));
        row("verdict", report -> report.verdict().text());
        row(
                "round trips when nobody else wants the lock",
                report -> report.environment().getOrDefault(ComplianceReport.ROUND_TRIPS, ""));
        for (Outcome outcome : Outcome.values()) {
            if (reports.stream().anyMatch(report -> report.count(outcome) > 0)) {
                row(
                        words(outcome),
                        report -> report.count(outcome) + " of "
                                + report.results().size());
            }
        }
        row(
                "run",
                report -> report.settings().profile().name().toLowerCase(Locale.ROOT) + ", "
                        + report.took().toSeconds() + " s, seed "
                        + report.settings().seed() + ", "
                        + report.began().toString().substring(0, 10));
    }

    private interface Cell {
        String of(ComplianceReport report);
    }

    private void row(String what, Cell cell) {
        text.append(Markdown.row(what, reports.stream().map(cell::of).toList()));
    }

    private void faults() {
        text.append("\n### When something breaks\n\n");
        row("", ComplianceReport::target);
        text.append(Markdown.rule(reports.size() + 1));
        for (SpecRule rule : SpecRule.all()) {
            if (rule.id().startsWith("FLT-")) {
                row(
                        rule.id() + ": " + rule.text(),
                        report -> words(result(report, rule).outcome()));
            }
        }
    }

    private static RuleResult result(ComplianceReport report, SpecRule rule) {
        return report.results().stream()
                .filter(result -> result.rule().id().equals(rule.id()))
                .findFirst()
                .orElseThrow();
    }

    /** A skipped rule is no failure, and no proof. */
    private void exceptions() {
        text.append(
                "\n### Rules that were not simply passed\n\n| rule | target | outcome | why |\n|---|---|---|---|\n");
        for (SpecRule rule : SpecRule.all()) {
            for (ComplianceReport report : reports) {
                RuleResult result = result(report, rule);
                if (result.outcome() != Outcome.PASSED) {
                    String why = result.message().lines().limit(2).collect(Collectors.joining(" "));
                    text.append(
                            Markdown.row(rule.id(), List.of(report.target(), words(result.outcome()), why.strip())));
                }
            }
        }
    }

    private static String words(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
