package io.fencedlock.cli.replay;

import io.fencedlock.cli.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One self-contained page: what was run, a matrix of scenarios and backends, and for each run its picture, its verdict and its table. */
final class HtmlPage {
    private final String command;
    private final List<Play> plays;
    private final List<String> notPlayed;
    private final Markup page = new Markup();

    HtmlPage(String command, List<Play> plays, List<String> notPlayed) {
        this.command = command;
        this.plays = plays;
        this.notPlayed = notPlayed;
    }

    String write() {
        page.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
        page.leaf("meta", "charset", "utf-8");
        page.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.leaf("meta", "name", "color-scheme", "content", "light dark");
        page.element("title", "fencedlock replay");
        page.open("style").raw(style()).close().close();
        page.open("body").raw(Legend.patterns());
        head();
        page.open("main");
        if (!plays.isEmpty()) {
            matrix();
        }
        if (!notPlayed.isEmpty()) {
            page.element("p", "Not played:", "class", "note").open("ul", "class", "note");
            notPlayed.forEach(sentence -> page.element("li", sentence));
            page.close();
        }
        if (!plays.isEmpty()) {
            page.raw(Legend.list());
        }
        byScenario().values().forEach(this::scenario);
        return page.close().close().close().toString();
    }

    private static String style() {
        try (InputStream in = HtmlPage.class.getResourceAsStream("replay.css")) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks replay.css");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void head() {
        page.open("header").element("h1", "Late writes, replayed");
        page.element(
                "p",
                "A lock can end while its holder is paused. The next holder writes, the first one wakes up and writes, too. With fencing"
                        + " each grant carries a token that only grows, and the resource refuses an older one.",
                "class",
                "lead");
        page.open("dl", "class", "facts");
        fact("command", "code", command);
        fact("fencedlock", "span", Main.version());
        String places =
                plays.stream().map(play -> play.run().place()).distinct().collect(Collectors.joining("; "));
        fact("stores", "span", places.isEmpty() ? "none yet" : places);
        fact("Java", "span", Runtime.version() + " on " + System.getProperty("os.name"));
        fact("written", "span", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        page.close().close();
    }

    private void fact(String name, String tag, String value) {
        page.open("div").element("dt", name);
        page.open("dd").element(tag, value).close().close();
    }

    private Map<String, List<Play>> byScenario() {
        return plays.stream()
                .collect(Collectors.groupingBy(play -> play.run().scenario(), LinkedHashMap::new, Collectors.toList()));
    }

    private void matrix() {
        List<String> backends =
                plays.stream().map(play -> play.run().backend()).distinct().toList();
        long expected =
                plays.stream().filter(play -> play.mark() == Play.Mark.EXPECTED).count();
        page.element("h2", expected + " of " + plays.size() + " runs ended as expected");
        page.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", "All runs");
        page.open("table", "class", "matrix").open("thead").open("tr");
        page.element("th", "scenario", "scope", "col");
        backends.forEach(backend -> page.element("th", backend, "scope", "col"));
        page.close().close().open("tbody");
        byScenario().forEach((scenario, its) -> {
            page.open("tr").open("th", "scope", "row");
            page.element("a", scenario, "href", "#" + scenario);
            page.element("small", its.get(0).summary()).close();
            for (String backend : backends) {
                page.open("td");
                its.stream()
                        .filter(play -> play.run().backend().equals(backend))
                        .forEach(this::chip);
                page.close();
            }
            page.close();
        });
        page.close().close().close();
        page.element(
                "p",
                "off, on: whether the resource checks tokens. ✓ ended as the scenario teaches: without the check the late write"
                        + " destroys the newer one, with it it is refused. ✗ ended otherwise, ! broke off.",
                "class",
                "note");
    }

    private void chip(Play play) {
        page.element(
                "a",
                play.mark().sign + " " + play.run().variant(),
                "class",
                "chip " + play.mark(),
                "href",
                "#" + id(play),
                "title",
                play.mark().words + ": " + play.sentence());
    }

    private String id(Play play) {
        return "run-" + (plays.indexOf(play) + 1);
    }

    private void scenario(List<Play> its) {
        Play first = its.get(0);
        page.open("section", "id", first.run().scenario());
        page.element("h2", first.run().scenario()).element("p", first.summary(), "class", "lead");
        its.forEach(this::run);
        page.close();
    }

    private void run(Play play) {
        page.open("article", "id", id(play)).element("h3", play.run().title());
        page.open("p", "class", "verdict " + play.mark());
        page.element("strong", play.mark().sign + " " + play.mark().words + ".").text(" " + play.sentence());
        page.close();
        play.run().apart().ifPresent(resource -> page.element("p", "The resource: " + resource + ".", "class", "note"));
        page.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", "Picture of the run");
        page.raw(new Picture(play, id(play)).draw()).close();
        page.open("details").element("summary", "The same as a table");
        table(play.steps());
        page.close().close();
    }

    private void table(List<Step> steps) {
        page.open("div", "class", "wide")
                .open("table", "class", "steps")
                .open("thead")
                .open("tr");
        List.of("ms", "worker", "token", "what happened").forEach(name -> page.element("th", name, "scope", "col"));
        page.close().close().open("tbody");
        for (Step step : steps) {
            page.open("tr").element("td", Long.toString(step.ms()), "class", "number");
            page.element("td", step.worker());
            page.element(
                    "td", step.token().isPresent() ? Long.toString(step.token().getAsLong()) : "", "class", "number");
            page.element("td", step.sentence()).close();
        }
        page.close().close().close();
    }
}
