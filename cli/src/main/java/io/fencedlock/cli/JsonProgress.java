package io.fencedlock.cli;

import io.fencedlock.compliance.ComplianceReport;
import io.fencedlock.compliance.ReportWriter;
import io.fencedlock.compliance.RuleResult;
import io.fencedlock.compliance.Settings;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One object a line: begin, rule, and at the end one summary for each backend. */
final class JsonProgress implements Progress {

    private final PrintWriter out;

    JsonProgress(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begin(String backend, String server, Settings settings) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "begin");
        line.put("backend", backend);
        line.put("server", server);
        line.put("profile", settings.profile().name().toLowerCase(Locale.ROOT));
        line.put("seed", settings.seed());
        say(Json.object(line));
    }

    @Override
    public void result(String backend, RuleResult result) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "rule");
        line.put("backend", backend);
        line.put("rule", result.rule().id());
        line.put("outcome", result.outcome());
        line.put("millis", result.took().toMillis());
        line.put("message", result.message());
        say(Json.object(line));
    }

    @Override
    public void end(List<ComplianceReport> reports) {
        reports.forEach(report -> say(ReportWriter.summaryLine(report)));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
