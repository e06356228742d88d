package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.compliance.history.Action;
import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.Law;
import io.fencedlock.compliance.history.Phase;
import io.fencedlock.compliance.history.Violation;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportTest {

    private static Settings settings(Map<String, String> known) {
        return new Settings(Settings.Profile.QUICK, 5, 1, known);
    }

    private static ComplianceRun faulty(Settings settings) {
        Mutant fault = FenceMutants.all().get(0);
        return new ComplianceRun(new MemoryTarget(fault.changes()), settings)
                .only(rule -> rule.matches("FEN-[14]|FLT-9"));
    }

    @Test
    void filteredRunIsPartialAndSaysWhatWasLeftOut() {
        List<RuleResult> seen = new ArrayList<>();
        ComplianceReport report = new ComplianceRun(ComplianceTarget.memory(), settings(Map.of()))
                .only(rule -> rule.equals("FEN-1"))
                .onResult(seen::add)
                .run();
        assertThat(report.verdict()).isEqualTo(Verdict.PARTIAL);
        assertThat(report.verdict().exitCode()).isEqualTo(3);
        assertThat(report.count(Outcome.PASSED)).isEqualTo(1);
        assertThat(report.count(Outcome.NOT_RUN)).isEqualTo(report.results().size() - 1);
        assertThat(seen).hasSize(1);
    }

    @Test
    void nothingRunIsPartial() {
        ComplianceReport report = new ComplianceRun(ComplianceTarget.memory(), settings(Map.of()))
                .only(rule -> false)
                .run();
        assertThat(report.verdict()).isEqualTo(Verdict.PARTIAL);
    }

    @Test
    void knownFailureIsADeviationThatStaysVisible() {
        ComplianceReport report = faulty(settings(Map.of("FEN-1", "known until 2027-01-01: issue 7")))
                .run();
        RuleResult result = result(report, "FEN-1");
        assertThat(result.outcome()).isEqualTo(Outcome.DEVIATION);
        assertThat(result.message()).contains("issue 7", "observed");
    }

    private static RuleResult result(ComplianceReport report, String rule) {
        return report.results().stream()
                .filter(r -> r.rule().id().equals(rule))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void reportsSayWhatWasFound(@TempDir Path directory) throws Exception {
        ComplianceReport report = faulty(settings(Map.of())).run().with("server", "none <at all>");
        assertThat(report.verdict()).isEqualTo(Verdict.FAIL);
        ReportWriter.write(List.of(report), directory);

        String json = Files.readString(directory.resolve("compliance.json"));
        assertThat(json)
                .startsWith("{\"schema\":1,\"reports\":[{")
                .contains("\"verdict\":\"fail\"", "\"seed\":5", "none <at all>");
        assertThat(ReportWriter.summaryLine(report))
                .startsWith("{\"event\":\"summary\",\"backend\":\"")
                .contains("\"failed\":1", "\"skipped\":1", "\"verdict\":\"fail\"");

        String html = Files.readString(directory.resolve("compliance.html"));
        assertThat(html)
                .contains("What failed on", "FEN-1", "look at", "none &lt;at all&gt;", "not run", "seed=5")
                .doesNotContain("http://", "https://", "<script", "<link");

        Element page = parsed(html.replaceAll("<meta[^>]*>", "").replace("<!doctype html>", ""));
        NodeList links = page.getElementsByTagName("a");
        assertThat(links.getLength()).isEqualTo(report.results().size() - 1); // FEN-4 held and says nothing
        for (int i = 0; i < links.getLength(); i++) {
            String target = ((Element) links.item(i)).getAttribute("href").substring(1);
            assertThat(html).containsOnlyOnce("id=\"" + target + "\"");
        }

        assertThat(Files.readString(directory.resolve("backends.md")))
                .contains(
                        "| FEN-1 | ",
                        "| failed | FEN-1 does not hold",
                        "| order survives the loss of all data | **no** |");

        Path xml = Files.list(directory)
                .filter(f -> f.toString().endsWith(".xml"))
                .findFirst()
                .orElseThrow();
        Element suite = parsed(Files.readString(xml));
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(report.results().size());
    }

    private static Element parsed(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
    }

    @Test
    void theProofOfAFailureIsATable() {
        Event event = new Event(
                5_000_000,
                "client-0",
                1,
                Action.ACQUIRE,
                Phase.OK,
                "<lock>",
                Long.MAX_VALUE,
                "abc",
                Map.of("lease", "7"));
        ComplianceReport memory = new ComplianceRun(ComplianceTarget.memory(), settings(Map.of()))
                .only(rule -> false)
                .run();
        RuleResult failed = new RuleResult(
                memory.results().get(0).rule(),
                Outcome.FAILED,
                new Violation(Law.EXCLUSION, "two <at once>", List.of(event, event)) + "\n    {not an event",
                Duration.ZERO);
        ComplianceReport report = new ComplianceReport(
                "t", memory.profile(), memory.settings(), memory.began(), memory.took(), Map.of(), List.of(failed));

        String html = ReportWriter.html(List.of(report));

        assertThat(html).contains("two &lt;at once&gt;", "<td>acquire ok</td>", "9223372036854775807", "{not an event");
        assertThat(html.split("<td>&lt;lock&gt;</td>", -1)).hasSize(3);
    }
}
