package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import io.fencedlock.compliance.history.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Schema version 1: names may be added in a later version, none changes its meaning. */
final class JsonReport {

    private static final int SCHEMA = 1;

    private JsonReport() {}

    static String write(List<ComplianceReport> reports) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("schema", SCHEMA);
        all.put("reports", reports.stream().map(JsonReport::report).toList());
        return Json.write(all);
    }

    private static Map<String, Object> report(ComplianceReport report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("target", report.target());
        map.put("verdict", report.verdict().text());
        map.put("began", report.began());
        map.put("millis", report.took().toMillis());
        map.put("profile", report.settings().profile().name().toLowerCase(java.util.Locale.ROOT));
        map.put("seed", report.settings().seed());
        map.put("multiplier", report.settings().multiplier());
        map.put("environment", report.environment());
        map.put("backend", backend(report.profile()));
        map.put("rules", report.results().stream().map(JsonReport::result).toList());
        return map;
    }

    private static Map<String, Object> backend(BackendProfile profile) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", profile.backend());
        map.put("tokenSource", profile.tokenSource());
        map.put("smallestLeaseMillis", profile.smallestLease().toMillis());
        map.put("leaseGranularityNanos", profile.leaseGranularity().toNanos());
        map.put("leaseScope", profile.leaseScope().name());
        map.put("queueOrder", profile.queueOrder().name());
        map.put("leaseClock", profile.leaseClock().name());
        map.put("expirySlackMillis", profile.expirySlack().toMillis());
        map.put("recheckMillis", profile.recheck().toMillis());
        map.put("tokenSurvives", profile.tokenSurvives());
        map.put("disclaims", profile.disclaims());
        map.put("notes", profile.notes());
        return map;
    }

    private static Map<String, Object> result(RuleResult result) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", result.rule().id());
        map.put("chapter", result.rule().chapter());
        map.put("level", result.rule().level());
        map.put("text", result.rule().text());
        map.put("outcome", result.outcome().name());
        map.put("message", result.message());
        map.put("millis", result.took().toMillis());
        return map;
    }

    static String summary(ComplianceReport report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("event", "summary");
        map.put("backend", report.target());
        map.put("rules", report.results().size());
        map.put("passed", report.count(Outcome.PASSED));
        map.put("failed", report.count(Outcome.FAILED));
        map.put("deviations", report.count(Outcome.DEVIATION));
        map.put("skipped", report.count(Outcome.SKIPPED));
        map.put("notRun", report.count(Outcome.NOT_RUN));
        map.put("seed", report.settings().seed());
        map.put("millis", report.took().toMillis());
        map.put("verdict", report.verdict().text());
        return Json.write(map);
    }
}
