package io.fencedlock.cli.replay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A row has a version, and an update names the one that it was computed from: no token, and the lock only saves work. */
final class ConditionalUpdate implements Scenario {

    @Override
    public String name() {
        return "conditional-update";
    }

    @Override
    public String summary() {
        return "an update names the version it was computed from: the late one finds another version and changes nothing";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of(false);
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        stage.c().writes();
        a.acquires();
        readVersion(stage, a);
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        readVersion(stage, b);
        boolean first = updated(b, b.does(update(stage, b)));
        b.releases();
        boolean late = updated(a, a.continuesWith(update(stage, a), "updates the row it has read"));
        String last = stage.c().reads().orElse("nobody");

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("staleWriteRefused", !late);
        fields.put("finalWriter", last);
        return new Verdict(
                fields,
                first && !late && last.equals(b.name()),
                "the late update " + (late ? "changed the row" : "found another version and changed nothing")
                        + "; the final value is from " + last);
    }

    private static void readVersion(Stage stage, Actor actor) {
        long version = actor.does(Message.order("read-version").with("resource", stage.subject()))
                .number("version");
        actor.tells("looked", "read the row: version " + version, Map.of("version", version));
    }

    private static Message update(Stage stage, Actor actor) {
        return Message.order("update-version").with("resource", stage.subject()).with("value", actor.name());
    }

    private static boolean updated(Actor actor, Message report) {
        boolean done = report.is("accepted");
        if (done) {
            actor.tells("wrote", "UPDATE … WHERE version = the one read: 1 row", Map.of("value", actor.name()));
        } else {
            actor.tells("refused", "UPDATE … WHERE version = the one read: 0 rows, REFUSED");
        }
        return done;
    }
}
