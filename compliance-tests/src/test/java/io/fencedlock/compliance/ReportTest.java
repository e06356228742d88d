package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

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
                .contains("FEN-1", "look at:", "none &lt;at all&gt;", "not run")
                .doesNotContain("http://", "https://", "<script", "<link");

        Path xml = Files.list(directory)
                .filter(f -> f.toString().endsWith(".xml"))
                .findFirst()
                .orElseThrow();
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(Files.readString(xml).getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(report.results().size());
    }
}
