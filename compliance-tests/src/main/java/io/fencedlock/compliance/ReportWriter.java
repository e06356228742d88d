package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes reports for programs, for CI servers and for people. */
public final class ReportWriter {

    private ReportWriter() {}

    /**
     * Writes {@code compliance.json}, {@code compliance.html}, {@code backends.md} and one {@code TEST-compliance-<target>.xml} for each report.
     *
     * @param reports one for each target
     * @param directory made if it is not there
     * @throws IOException if a file cannot be written
     */
    public static void write(List<ComplianceReport> reports, Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("compliance.json"), json(reports) + "\n");
        Files.writeString(directory.resolve("compliance.html"), html(reports));
        Files.writeString(directory.resolve("backends.md"), comparison(reports));
        for (ComplianceReport report : reports) {
            String file = "TEST-compliance-" + report.target().replaceAll("[^A-Za-z0-9.-]", "_") + ".xml";
            Files.writeString(directory.resolve(file), junitXml(report));
        }
    }

    /**
     * The machine-readable form, schema version 1.
     *
     * @param reports one for each target
     * @return JSON on one line
     */
    public static String json(List<ComplianceReport> reports) {
        return JsonReport.write(reports);
    }

    /**
     * The form that CI servers read.
     *
     * @param report the report
     * @return XML
     */
    public static String junitXml(ComplianceReport report) {
        return JUnitXmlReport.write(report);
    }

    /**
     * One page for people, without anything loaded from elsewhere.
     *
     * @param reports one for each target
     * @return HTML
     */
    public static String html(List<ComplianceReport> reports) {
        return new HtmlReport(reports).write();
    }

    /**
     * The page that compares backends: what they promise, and what was found.
     *
     * @param reports one for each target; those with other tokens than the default are named after the backend and the option
     * @return Markdown
     */
    public static String comparison(List<ComplianceReport> reports) {
        return new ComparisonPage(reports).write();
    }

    /**
     * The part of {@link #comparison} that follows from the profiles alone.
     *
     * @param profiles target to profile
     * @return Markdown
     */
    public static String promises(Map<String, BackendProfile> profiles) {
        return PromisesTable.of(profiles);
    }

    /**
     * The summary of a run as one line.
     *
     * @param report the report
     * @return JSON: {@code {"event":"summary","backend":…,"rules":…,"passed":…,"failed":…,"skipped":…,"verdict":…}}
     */
    public static String summaryLine(ComplianceReport report) {
        return JsonReport.summary(report);
    }
}
