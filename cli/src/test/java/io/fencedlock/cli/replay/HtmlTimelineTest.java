package io.fencedlock.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.cli.Cli;
import io.fencedlock.cli.CommandFailure;
import io.fencedlock.cli.Json;
import io.fencedlock.cli.TokenSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class HtmlTimelineTest {
    private static final Run RUN =
            new Run("stale-write", "redis", "redis 7 <b>&\"", true, TokenSource.DEFAULT, Optional.of("a <row>"));

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("page.html");
    }

    /** The pages are well-formed XML, too, so nothing is unescaped or left open. */
    private Document page() throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file().toFile());
    }

    private static List<Element> all(Document page, String tag) {
        NodeList found = page.getElementsByTagName(tag);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private static List<Element> ofClass(Document page, String tag, String style) {
        return all(page, tag).stream()
                .filter(e -> List.of(e.getAttribute("class").split(" ")).contains(style))
                .toList();
    }

    @Test
    void aPageTellsEachRunInAPictureAndInATableBesideTheJson() throws Exception {
        Cli.Ended said = Cli.say("replay stale-write --on memory --json --html " + file());

        assertThat(said.exitCode()).isZero();

        List<Map<String, Object>> events =
                said.lines().stream().map(Json::parse).toList();
        long steps = events.stream().filter(e -> "step".equals(e.get("event"))).count();
        Document page = page();
        assertThat(all(page, "article")).hasSize(2);
        assertThat(ofClass(page, "g", "step")).hasSize((int) steps);
        assertThat(all(page, "desc"))
                .hasSize(2)
                .allSatisfy(text -> assertThat(text.getTextContent()).contains("As expected"));
        assertThat(all(page, "table").stream()
                        .filter(t -> t.getAttribute("class").equals("steps")))
                .hasSize(2);
        String shown = page.getDocumentElement().getTextContent();
        assertThat(shown).contains("2 of 2 runs", "replay stale-write --on memory --json --html", "write REFUSED");
        events.stream()
                .filter(e -> e.containsKey("token"))
                .forEach(e -> assertThat(shown).contains("token " + e.get("token")));
        assertThat(Files.readString(file()).replace("url(#", ""))
                .doesNotContain("http:", "https:", "<script", "<link", "@import", "url(", "src=");
    }

    @Test
    void thePictureShowsWhoHoldsWhoBelievesItAndWhichWritesArrive() throws Exception {
        Cli.say("replay stale-write --on memory --html " + file());

        Document page = page();
        Element off = all(page, "article").get(0);
        Element on = all(page, "article").get(1);
        assertThat(styles(off)).containsOnlyOnce("believes w0").contains("holds w0", "holds w1", "waits w1", "paused");
        assertThat(styles(off)).filteredOn("sign accepted"::equals).hasSize(2);
        assertThat(styles(off)).filteredOn("sign refused"::equals).isEmpty();
        assertThat(styles(off)).containsSubsequence("stored empty", "stored w1", "stored w0");
        assertThat(styles(on)).filteredOn("sign accepted"::equals).hasSize(1);
        assertThat(styles(on)).filteredOn("sign refused"::equals).hasSize(1);
        assertThat(styles(on)).containsSubsequence("stored empty", "stored w1").doesNotContain("stored w0");
    }

    private static List<String> styles(Element article) {
        NodeList found = article.getElementsByTagName("*");
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> ((Element) found.item(i)).getAttribute("class"))
                .toList();
    }

    @Test
    void aDeletedLockIsOneThatItsHolderOnlyBelievesIn() {
        List<Step> steps = List.of(
                step(0, "worker-B", "acquired", OptionalLong.of(7), Map.of()),
                step(5, "worker-A", "deleted", OptionalLong.of(6), Map.of("owner", "worker-B")),
                step(9, "worker-B", "released", OptionalLong.of(7), Map.of()),
                step(9, "worker-C", "acquired", OptionalLong.of(8), Map.of()),
                step(9, "server", "deleted", OptionalLong.empty(), Map.of()));

        assertThat(Bars.of(steps, new Lanes(steps, true)))
                .extracting(Bars.Bar::kind)
                .containsExactly(Bars.Kind.HOLDS, Bars.Kind.BELIEVES, Bars.Kind.HOLDS, Bars.Kind.BELIEVES);
    }

    @Test
    void whoClaimsAnotherItemTakesNothingAway() {
        List<Step> steps = List.of(
                step(0, "worker-A", "claimed", OptionalLong.empty(), Map.of("claim", 1L, "item", "one")),
                step(1, "worker-B", "claimed", OptionalLong.empty(), Map.of("claim", 2L, "item", "two")),
                step(9, "worker-B", "claimed", OptionalLong.empty(), Map.of("claim", 3L, "item", "one")));

        Lanes lanes = new Lanes(steps, true);

        assertThat(Bars.of(steps, lanes))
                .contains(new Bars.Bar(Bars.Kind.HOLDS, 0, lanes.x(0), lanes.x(2)))
                .filteredOn(bar -> bar.kind() == Bars.Kind.BELIEVES)
                .hasSize(1);
    }

    @Test
    void textIsEscapedAndARunThatBrokeOffIsShown() throws Exception {
        HtmlTimeline timeline = new HtmlTimeline(file(), "replay \"<i>\" & \u0001\uD800");
        timeline.begin(RUN, new StaleWrite());
        timeline.step(RUN, step(1, "<script>", "-->", OptionalLong.of(Long.MAX_VALUE), Map.of("value", "</svg>")));
        timeline.step(RUN, step(1, "worker-A", "wrote", OptionalLong.empty(), Map.of("value", "</svg>")));
        timeline.failed(RUN, "</style>&amp;");
        timeline.notPlayed("redlock", "redis", "<not> built");
        timeline.notPlayed("redlock", "redis", "<not> built");

        String shown = page().getDocumentElement().getTextContent();
        assertThat(shown).contains("0 of 1 runs", "Broke off", "</style>&amp;", "</svg>", "redis 7 <b>&\"");
        assertThat(shown).contains(Long.toString(Long.MAX_VALUE), "replay \"<i>\" & \uFFFD\uFFFD");
        assertThat(shown).containsOnlyOnce("<not> built").contains("The resource: a <row>");
        assertThat(all(page(), "script")).isEmpty();
    }

    @Test
    void whatIsWrittenInALaneNeverOverlaps() {
        Random random = new Random(42);
        List<String> actions = List.of("acquired", "wrote", "read", "paused", "resumed", "released", "something-long");
        for (int round = 0; round < 200; round++) {
            List<Step> steps = new ArrayList<>();
            long ms = 0;
            for (int i = 0; i < 40; i++) {
                ms += random.nextInt(3) == 0 ? random.nextInt(20_000) : 0;
                String worker = "worker-" + (char) ('A' + random.nextInt(3));
                String action = actions.get(random.nextInt(actions.size()));
                steps.add(step(ms, worker, action, OptionalLong.of(Long.MAX_VALUE), Map.of("value", worker)));
            }
            Lanes lanes = new Lanes(steps, true);
            for (int i = 1; i < steps.size(); i++) {
                assertThat(lanes.x(i)).isGreaterThanOrEqualTo(lanes.x(i - 1) + 30);
                for (int earlier = 0; earlier < i; earlier++) {
                    if (lanes.lane(steps.get(i)) == lanes.lane(steps.get(earlier))) {
                        long end = lanes.x(earlier)
                                + 7L * Caption.of(steps.get(earlier)).length();
                        assertThat(lanes.x(i)).isGreaterThan(end);
                    }
                }
            }
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsToldBeforeAnythingRuns() {
        assertThatThrownBy(() -> new HtmlTimeline(directory, "replay"))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("--html: cannot write " + directory + ": it is a directory");
        String file = directory.resolve("none").resolve("page.html").toString();
        Cli.Ended said = Cli.say("replay stale-write --on memory --html " + file);

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err().lines())
                .containsExactly("fencedlock: --html: cannot write " + file + ": its directory does not exist");
    }

    @Test
    void noSecretOfAUrlIsOnThePage() throws Exception {
        String url = "redis://user:geheim@127.0.0.1:1?leese=geheim";
        Cli.say("replay stale-write --html " + file() + " --url " + url);

        assertThat(Files.readString(file()))
                .contains("--url redis://127.0.0.1:1")
                .doesNotContain("geheim");
    }

    private static Step step(long ms, String worker, String action, OptionalLong token, Map<String, Object> more) {
        return new Step(ms, worker, action, token, action + " happened", more);
    }
}
