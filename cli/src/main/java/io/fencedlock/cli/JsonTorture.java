package io.fencedlock.cli;

import io.fencedlock.compliance.history.Event;
import io.fencedlock.torture.Finding;
import io.fencedlock.torture.Plan;
import io.fencedlock.torture.Progress;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How a torture goes, for programs. */
final class JsonTorture implements Progress {
    private final PrintWriter out;
    private String backend = "";

    JsonTorture(PrintWriter out) {
        this.out = out;
    }

    private Map<String, Object> event(String name) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event", name);
        fields.put("backend", backend);
        return fields;
    }

    private void print(Map<String, Object> fields) {
        out.println(Json.object(fields));
        out.flush();
    }

    @Override
    public void begun(Plan plan, String place) {
        backend = plan.backend();
        Map<String, Object> fields = event("begin");
        fields.put("place", place);
        fields.put("seed", plan.seed());
        fields.put("workers", plan.workers());
        fields.put("fencing", plan.fencing());
        fields.put("tokens", plan.tokens());
        print(fields);
    }

    @Override
    public void checked(String phase, Counts now) {
        Map<String, Object> fields = event("phase");
        fields.put("phase", phase);
        fields.put("seconds", now.time().toSeconds());
        fields.put("grants", now.grants());
        fields.put("refusals", now.refusals());
        fields.put("losses", now.losses());
        fields.put("faults", now.faults());
        fields.put("findings", now.findings());
        print(fields);
    }

    @Override
    public void found(Finding finding) {
        Map<String, Object> fields = event("finding");
        fields.put("kind", finding.kind().name().toLowerCase(Locale.ROOT));
        fields.put("phase", finding.phase());
        fields.put("explanation", finding.explanation());
        fields.put("proof", finding.proof().stream().map(Event::toJson).collect(Collectors.joining("\n")));
        print(fields);
    }
}
