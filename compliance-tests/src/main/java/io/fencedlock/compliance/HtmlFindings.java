package io.fencedlock.compliance;

import io.fencedlock.compliance.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a report has to say of single rules: failures with their evidence, and the rest folded away. */
final class HtmlFindings {
    private static final String OBSERVED = "\n  observed: ";
    private static final String LOOK = "\n  look at: ";
    private static final String REPLAY = "\n  replay: ";
    private static final String EVENT = "    {";

    private final Markup page;

    HtmlFindings(Markup page) {
        this.page = page;
    }

    void failures(ComplianceReport report) {
        List<RuleResult> failed = those(report, result -> result.outcome() == Outcome.FAILED);
        if (failed.isEmpty()) {
            return;
        }
        page.element("h2", "What failed on " + report.target());
        failed.forEach(result -> failure(report, result));
    }

    private static List<RuleResult> those(ComplianceReport report, Predicate<RuleResult> which) {
        return report.results().stream().filter(which).toList();
    }

    private void failure(ComplianceReport report, RuleResult result) {
        SpecRule rule = result.rule();
        page.open("article", "class", "failure", "id", HtmlReport.anchor(report, result));
        page.open("h3").element("span", "✗ " + rule.id(), "class", "id FAILED").text(" " + rule.text());
        page.close().open("div", "class", "observed");
        observed(result.message());
        page.close().open("dl");
        page.element("dt", "why it matters").element("dd", rule.intent());
        page.element("dt", "look at").element("dd", rule.look());
        page.element("dt", "seen in").element("dd", rule.seen());
        int replay = result.message().lastIndexOf(REPLAY);
        if (replay >= 0) {
            page.element("dt", "again").open("dd");
            page.element("code", result.message().substring(replay + REPLAY.length()))
                    .close();
        }
        page.close().close();
    }

    /** The message of a failure repeats the rule for those who have nothing but the message; here it stands beside it. */
    private void observed(String message) {
        int from = message.indexOf(OBSERVED);
        int to = message.lastIndexOf(LOOK);
        String observed = from < 0 || to < from ? message : message.substring(from + OBSERVED.length(), to);
        List<String> said = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        for (String line : observed.split("\n", -1)) {
            Event event = line.startsWith(EVENT) ? event(line.strip()) : null;
            if (event == null) {
                flush(events);
                said.add(line);
            } else {
                say(said);
                events.add(event);
            }
        }
        say(said);
        flush(events);
    }

    private static @Nullable Event event(String line) {
        try {
            return Event.parse(line);
        } catch (IllegalArgumentException e) {
            return null; // shown as it is
        }
    }

    private void say(List<String> lines) {
        if (!lines.isEmpty()) {
            page.element("pre", String.join("\n", lines));
            lines.clear();
        }
    }

    private void flush(List<Event> events) {
        if (!events.isEmpty()) {
            history(events);
            events.clear();
        }
    }

    /** An excerpt of a history, its times from its first event on. */
    private void history(List<Event> events) {
        long begin = events.stream().mapToLong(Event::at).min().orElse(0);
        page.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", "Excerpt of the history");
        page.open("table", "class", "history").open("thead").open("tr");
        List.of("ms", "worker", "event", "token", "of", "holder", "more")
                .forEach(name -> page.element("th", name, "scope", "col"));
        page.close().close().open("tbody");
        for (Event event : events) {
            page.open("tr")
                    .element("td", String.format(Locale.ROOT, "%.3f", (event.at() - begin) / 1e6), "class", "number");
            page.element("td", event.process());
            page.element("td", HtmlReport.words(event.action()) + " " + HtmlReport.words(event.phase()));
            page.element("td", event.token() == 0 ? "" : Long.toString(event.token()), "class", "number");
            page.element("td", event.subject()).element("td", event.holder());
            page.element("td", event.more().isEmpty() ? "" : new TreeMap<>(event.more()).toString());
            page.close();
        }
        page.close().close().close();
    }

    void others(ComplianceReport report) {
        List<RuleResult> others = those(
                report,
                result ->
                        result.outcome() != Outcome.FAILED && !result.message().isEmpty());
        if (others.isEmpty()) {
            return;
        }
        page.element("h2", "What else was observed on " + report.target());
        for (RuleResult result : others) {
            page.open("details", "id", HtmlReport.anchor(report, result)).open("summary");
            page.element(
                    "span",
                    HtmlReport.sign(result.outcome()),
                    "class",
                    result.outcome().name());
            page.element("span", result.rule().id(), "class", "id").text(result.message());
            page.close();
            page.element("p", result.rule().text()).element("p", result.rule().intent(), "class", "sub");
            page.close();
        }
    }
}
