package io.fencedlock.compliance;

import static io.fencedlock.compliance.Markup.escape;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One self-contained page: a card for each target, the matrix of rules and targets, and every message. */
final class HtmlReport {

    private final List<ComplianceReport> reports;
    private final StringBuilder html = new StringBuilder();

    HtmlReport(List<ComplianceReport> reports) {
        this.reports = reports;
    }

    String write() {
        String title =
                "Compliance: " + reports.stream().map(ComplianceReport::target).collect(Collectors.joining(", "));
        html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escape(title))
                .append("</title>\n<style>\n")
                .append(style())
                .append("</style></head><body>\n<h1>")
                .append(escape(title))
                .append("</h1>\n<p class=\"sub\">The rules of SPEC.md, run by the fencedlock compliance suite.</p>\n");
        html.append("<div class=\"cards\">\n");
        reports.forEach(this::card);
        html.append("</div>\n");
        matrix();
        reports.forEach(this::messages);
        return html.append("</body></html>\n").toString();
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void card(ComplianceReport report) {
        String verdict = report.verdict().text();
        html.append("<div class=\"card\"><h3>")
                .append(escape(report.target()))
                .append("</h3><div class=\"verdict ")
                .append(verdict)
                .append("\">")
                .append(verdict)
                .append("</div><dl>\n");
        for (Outcome outcome : Outcome.values()) {
            if (report.count(outcome) > 0) {
                entry(words(outcome), Long.toString(report.count(outcome)));
            }
        }
        entry(
                "run",
                report.settings().profile().name().toLowerCase(Locale.ROOT) + ", "
                        + report.took().toSeconds() + " s, "
                        + report.began().toString().substring(0, 19) + " UTC");
        entry(
                "seed",
                report.settings().seed() + ", times × " + report.settings().multiplier());
        entry("tokens", report.profile().tokenSource());
        entry(
                "survive",
                report.profile().tokenSurvives().stream().map(HtmlReport::words).collect(Collectors.joining(", ")));
        entry(
                "lease",
                "at least " + report.profile().smallestLease().toMillis() + " ms, "
                        + report.profile()
                                .leaseScope()
                                .name()
                                .toLowerCase(Locale.ROOT)
                                .replace('_', ' '));
        entry("queue", report.profile().queueOrder().name().toLowerCase(Locale.ROOT));
        report.profile().disclaims().forEach((rule, reason) -> entry("disclaims", rule + ": " + reason));
        report.environment().forEach((name, value) -> {
            if (!name.equals(ComplianceReport.AGAIN)) { // it stands at the messages, with room for it
                entry(name, value);
            }
        });
        html.append("</dl></div>\n");
    }

    private void entry(String name, String value) {
        html.append("<dt>")
                .append(escape(name))
                .append("</dt><dd>")
                .append(escape(value))
                .append("</dd>\n");
    }

    private void matrix() {
        html.append("<h2>Rules</h2>\n<div class=\"wide\"><table>\n<tr><th>Rule</th><th></th>");
        reports.forEach(report ->
                html.append("<th class=\"o\">").append(escape(report.target())).append("</th>"));
        html.append("</tr>\n");
        String chapter = "";
        List<RuleResult> first = reports.isEmpty() ? List.of() : reports.get(0).results();
        for (int i = 0; i < first.size(); i++) {
            SpecRule rule = first.get(i).rule();
            if (!rule.chapter().equals(chapter)) {
                chapter = rule.chapter();
                html.append("<tr class=\"chapter\"><td colspan=\"")
                        .append(reports.size() + 2)
                        .append("\">")
                        .append(escape(chapter))
                        .append("</td></tr>\n");
            }
            html.append("<tr><td class=\"id\">")
                    .append(rule.id())
                    .append("</td><td>")
                    .append(escape(rule.text()))
                    .append("</td>");
            for (ComplianceReport report : reports) {
                RuleResult result = report.results().get(i);
                html.append("<td class=\"o ").append(result.outcome()).append("\">");
                outcome(report, result);
                html.append("</td>");
            }
            html.append("</tr>\n");
        }
        html.append("</table></div>\n");
    }

    /** What says more leads to it. */
    private void outcome(ComplianceReport report, RuleResult result) {
        String words = words(result.outcome());
        if (result.message().isEmpty()) {
            html.append(words);
        } else {
            html.append("<a href=\"#")
                    .append(anchor(report, result))
                    .append("\">")
                    .append(words)
                    .append("</a>");
        }
    }

    private static String anchor(ComplianceReport report, RuleResult result) {
        return report.target().replaceAll("[^A-Za-z0-9]+", "-") + "-"
                + result.rule().id();
    }

    private void messages(ComplianceReport report) {
        List<RuleResult> spoken =
                report.results().stream().filter(r -> !r.message().isEmpty()).toList();
        if (spoken.isEmpty()) {
            return;
        }
        html.append("<h2>").append(escape(report.target())).append(": what was observed</h2>\n");
        for (RuleResult result : spoken) {
            html.append("<details id=\"")
                    .append(anchor(report, result))
                    .append("\"")
                    .append(result.outcome() == Outcome.FAILED ? " open" : "")
                    .append("><summary><span class=\"")
                    .append(result.outcome())
                    .append("\">")
                    .append(words(result.outcome()))
                    .append("</span> ")
                    .append(result.rule().id())
                    .append(" ")
                    .append(escape(result.rule().text()))
                    .append("</summary><pre>")
                    .append(escape(result.message()))
                    .append("</pre><p>")
                    .append(escape(result.rule().intent()))
                    .append("</p></details>\n");
        }
        html.append("<p class=\"sub\">Again with the same choices: <code>")
                .append(escape(report.environment().getOrDefault(ComplianceReport.AGAIN, "")))
                .append("</code></p>\n");
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
