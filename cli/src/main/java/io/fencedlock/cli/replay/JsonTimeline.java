package io.fencedlock.cli.replay;

import io.fencedlock.cli.Json;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One JSON object a line. */
final class JsonTimeline implements Timeline {
    private final PrintWriter out;

    JsonTimeline(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begin(Run run, Scenario scenario) {}

    @Override
    public void step(Run run, Step step) {
        Map<String, Object> fields = run.fields("step");
        fields.put("ms", step.ms());
        fields.put("worker", step.worker());
        fields.put("action", step.action());
        step.token().ifPresent(token -> fields.put("token", token));
        fields.putAll(step.more());
        print(fields);
    }

    @Override
    public void end(Run run, Verdict verdict) {
        Map<String, Object> fields = run.fields("verdict");
        fields.putAll(verdict.fields());
        run.apart().ifPresent(resource -> fields.put("resource", resource));
        fields.put("asExpected", verdict.asExpected());
        print(fields);
    }

    @Override
    public void failed(Run run, String sentence) {
        Map<String, Object> fields = run.fields("failed");
        fields.put("message", sentence);
        print(fields);
    }

    @Override
    public void notPlayed(String scenario, String backend, String sentence) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event", "not-played");
        fields.put("scenario", scenario);
        fields.put("backend", backend);
        fields.put("message", sentence);
        print(fields);
    }

    @Override
    public void sumUp(List<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("event", "outcome");
            fields.put("scenario", outcome.scenario());
            fields.put("backend", outcome.backend());
            fields.put("outcome", outcome.how().words().toLowerCase(Locale.ROOT));
            print(fields);
        }
    }

    private void print(Map<String, Object> fields) {
        out.println(Json.object(fields));
        out.flush();
    }
}
