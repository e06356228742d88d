package io.fencedlock.cli;

import io.fencedlock.compliance.ComplianceReport;
import io.fencedlock.compliance.Outcome;
import io.fencedlock.compliance.RuleResult;
import io.fencedlock.compliance.Settings;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A line for each rule, and at the end the table of rules and backends with the verdicts. */
final class TextProgress implements Progress {

    private static final int RULE_WIDTH = 8;

    private final PrintWriter out;

    TextProgress(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begin(String backend, String server, Settings settings) {
        out.printf(
                "%n%s on %s, profile %s, seed %d%n",
                backend, server, settings.profile().name().toLowerCase(Locale.ROOT), settings.seed());
        out.flush();
    }

    @Override
    public void result(String backend, RuleResult result) {
        String message =
                result.message().isEmpty() ? "" : "  " + result.message().replace("\n", "\n" + " ".repeat(4));
        out.printf(
                "  %-" + RULE_WIDTH + "s%-10s%7d ms%s%n",
                result.rule().id(),
                words(result.outcome()),
                result.took().toMillis(),
                message);
        out.flush();
    }

    @Override
    public void end(List<ComplianceReport> reports) {
        if (reports.isEmpty()) {
            return;
        }
        out.println();
        row("rule", reports.stream().map(ComplianceReport::target).toList(), reports);
        List<RuleResult> rules = reports.get(0).results();
        for (int i = 0; i < rules.size(); i++) {
            int at = i;
            List<String> outcomes = reports.stream()
                    .map(report -> words(report.results().get(at).outcome()))
                    .toList();
            row(rules.get(i).rule().id(), outcomes, reports);
        }
        out.println();
        reports.forEach(this::verdict);
        out.flush();
    }

    private void row(String rule, List<String> cells, List<ComplianceReport> reports) {
        StringBuilder line = new StringBuilder(String.format("%-" + RULE_WIDTH + "s", rule));
        for (int i = 0; i < cells.size(); i++) {
            int width = Math.max(10, reports.get(i).target().length()) + 2;
            line.append(String.format("%-" + width + "s", cells.get(i)));
        }
        out.println(line.toString().stripTrailing());
    }

    private void verdict(ComplianceReport report) {
        String counts = Arrays.stream(Outcome.values())
                .filter(outcome -> report.count(outcome) > 0)
                .map(outcome -> report.count(outcome) + " " + words(outcome))
                .collect(Collectors.joining(", "));
        out.printf(
                "%s: %s (%s; %d s)%n",
                report.target(), report.verdict().text(), counts, report.took().toSeconds());
    }

    private static String words(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
