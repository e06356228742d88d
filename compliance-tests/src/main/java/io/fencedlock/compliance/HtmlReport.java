package io.fencedlock.compliance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One self-contained page: a card for each target, what failed with its evidence, the matrix of rules and targets, what was left out. */
final class HtmlReport {

    private final List<ComplianceReport> reports;
    private final Markup page = new Markup();

    HtmlReport(List<ComplianceReport> reports) {
        this.reports = reports;
    }

    String write() {
        String title = reports.size() == 1
                ? "Compliance of " + reports.get(0).target()
                : "Compliance of " + reports.size() + " targets";
        page.raw("<!doctype html>\n").open("html", "lang", "en").open("head");
        page.endless("meta", "charset", "utf-8");
        page.endless("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.endless("meta", "name", "color-scheme", "content", "light dark");
        page.element("title", title).open("style").raw(style()).close().close();
        page.open("body").element("h1", title);
        page.element("p", "The rules of SPEC.md, run by the fencedlock compliance suite.", "class", "sub");
        page.open("div", "class", "cards");
        reports.forEach(this::card);
        page.close();
        HtmlFindings findings = new HtmlFindings(page);
        reports.forEach(findings::failures);
        matrix();
        reports.forEach(findings::others);
        return page.close().close().toString();
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            if (in == null) {
                throw new IllegalStateException("the suite's jar lacks report.css");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void card(ComplianceReport report) {
        String verdict = report.verdict().text();
        page.open("section", "class", "card").open("h2").text(report.target() + " ");
        page.element("span", verdict, "class", "verdict " + verdict).close();
        share(report);
        page.open("dl");
        facts(report).forEach((name, value) -> page.element("dt", name).element("dd", value));
        report.profile()
                .disclaims()
                .forEach((rule, reason) -> page.element("dt", "disclaims").element("dd", rule + ": " + reason));
        page.close().close();
    }

    /** The outcomes as a bar, and in numbers. */
    private void share(ComplianceReport report) {
        page.open("div", "class", "share", "aria-hidden", "true");
        for (Outcome outcome : Outcome.values()) {
            if (report.count(outcome) > 0) {
                page.element("span", "", "class", outcome.name(), "style", "flex-grow:" + report.count(outcome));
            }
        }
        page.close().open("p", "class", "counts");
        for (Outcome outcome : Outcome.values()) {
            if (report.count(outcome) > 0) {
                page.element("span", report.count(outcome) + " " + words(outcome), "class", outcome.name());
            }
        }
        page.close();
    }

    private static Map<String, String> facts(ComplianceReport report) {
        Map<String, String> facts = new LinkedHashMap<>();
        String server = report.environment().get("server");
        if (server != null) {
            facts.put("server", server);
        }
        facts.put(
                "run",
                report.settings().profile().name().toLowerCase(Locale.ROOT) + ", seed "
                        + report.settings().seed() + ", times × "
                        + report.settings().multiplier());
        facts.put(
                "time",
                report.began().truncatedTo(ChronoUnit.SECONDS) + ", "
                        + report.took().toSeconds() + " s");
        facts.put("tokens", report.profile().tokenSource());
        facts.put(
                "survive",
                report.profile().tokenSurvives().stream().map(HtmlReport::words).collect(Collectors.joining(", ")));
        facts.put(
                "lease",
                "at least " + report.profile().smallestLease().toMillis() + " ms, "
                        + words(report.profile().leaseScope()));
        facts.put("queue", words(report.profile().queueOrder()));
        report.environment().forEach(facts::putIfAbsent);
        return facts;
    }

    private void matrix() {
        page.element("h2", "Rules");
        page.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", "Rules and targets");
        page.open("table").open("thead").open("tr");
        page.element("th", "rule", "scope", "col", "colspan", "2");
        reports.forEach(report -> page.element("th", report.target(), "scope", "col", "class", "o"));
        page.close().close().open("tbody");
        String chapter = "";
        List<RuleResult> first = reports.isEmpty() ? List.of() : reports.get(0).results();
        for (int i = 0; i < first.size(); i++) {
            SpecRule rule = first.get(i).rule();
            if (!rule.chapter().equals(chapter)) {
                chapter = rule.chapter();
                page.open("tr", "class", "chapter");
                page.element("th", chapter, "scope", "rowgroup", "colspan", Integer.toString(reports.size() + 2));
                page.close();
            }
            row(rule, i);
        }
        page.close().close().close();
    }

    private void row(SpecRule rule, int index) {
        page.open("tr").element("td", rule.id(), "class", "id").element("td", rule.text());
        for (ComplianceReport report : reports) {
            RuleResult result = report.results().get(index);
            page.open("td", "class", "o " + result.outcome());
            if (result.message().isEmpty()) {
                page.text(sign(result.outcome()));
            } else { // what says more leads to it
                page.element("a", sign(result.outcome()), "href", "#" + anchor(report, result));
            }
            page.close();
        }
        page.close();
    }

    static String anchor(ComplianceReport report, RuleResult result) {
        return report.target().replaceAll("[^A-Za-z0-9]+", "-") + "-"
                + result.rule().id();
    }

    /** Not by colour alone. */
    static String sign(Outcome outcome) {
        String sign = switch (outcome) {
            case PASSED -> "✓ ";
            case FAILED -> "✗ ";
            case DEVIATION -> "≈ ";
            case SKIPPED, NOT_RUN -> "– ";
        };
        return sign + words(outcome);
    }

    static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
