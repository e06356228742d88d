package io.fencedlock.compliance;

import static io.fencedlock.compliance.Markup.escape;

import java.util.Locale;

/** One test case for each rule. Whatever is neither passed nor failed is skipped with its reason: the format knows no more. */
final class JUnitXmlReport {

    private JUnitXmlReport() {}

    static String write(ComplianceReport report) {
        long skipped = report.count(Outcome.SKIPPED) + report.count(Outcome.NOT_RUN) + report.count(Outcome.DEVIATION);
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<testsuite name=\"compliance of ")
                .append(escape(report.target()))
                .append("\" tests=\"")
                .append(report.results().size())
                .append("\" failures=\"")
                .append(report.count(Outcome.FAILED))
                .append("\" errors=\"0\" skipped=\"")
                .append(skipped)
                .append("\" time=\"")
                .append(seconds(report.took().toMillis()))
                .append("\" timestamp=\"")
                .append(report.began())
                .append("\">\n  <properties>\n");
        property(xml, "verdict", report.verdict().text());
        property(xml, "seed", Long.toString(report.settings().seed()));
        report.environment().forEach((name, value) -> property(xml, name, value));
        xml.append("  </properties>\n");
        report.results().forEach(result -> testCase(xml, report.target(), result));
        return xml.append("</testsuite>\n").toString();
    }

    private static void property(StringBuilder xml, String name, String value) {
        xml.append("    <property name=\"")
                .append(escape(name))
                .append("\" value=\"")
                .append(escape(value))
                .append("\"/>\n");
    }

    private static void testCase(StringBuilder xml, String target, RuleResult result) {
        xml.append("  <testcase classname=\"compliance.")
                .append(escape(target))
                .append('.')
                .append(result.rule().chapter())
                .append("\" name=\"")
                .append(result.rule().id())
                .append(' ')
                .append(escape(result.rule().text()))
                .append("\" time=\"")
                .append(seconds(result.took().toMillis()))
                .append('"');
        switch (result.outcome()) {
            case PASSED -> xml.append("/>\n");
            case FAILED ->
                xml.append(">\n    <failure message=\"")
                        .append(escape(result.rule().id()))
                        .append(" does not hold\">")
                        .append(escape(result.message()))
                        .append("</failure>\n  </testcase>\n");
            case DEVIATION, SKIPPED, NOT_RUN ->
                xml.append(">\n    <skipped message=\"")
                        .append(result.outcome())
                        .append(' ')
                        .append(escape(result.message()))
                        .append("\"/>\n  </testcase>\n");
        }
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
    }
}
