package io.fencedlock.cli.replay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A fence orders writes and does not prevent overlap: it learns of a token by a write, or by {@code advance}. */
final class FencedOverlap implements Scenario {

    @Override
    public String name() {
        return "fenced-overlap";
    }

    @Override
    public String summary() {
        return "a late write passes until the new holder has written; if that one calls advance first, it does not";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of(true);
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        overtaken(stage);
        boolean beforeTheFirst = a.continuesAndWrites().accepted();
        b.writes();
        boolean afterTheFirst = a.writes().accepted();
        b.releases();

        overtaken(stage);
        b.advances();
        boolean afterAdvance = a.continuesAndWrites().accepted();
        b.writes();
        b.releases();
        String last = stage.c().reads().orElse("nobody");

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("acceptedBeforeTheNewHolderWrote", beforeTheFirst);
        fields.put("refusedAfterTheNewHolderWrote", !afterTheFirst);
        fields.put("refusedAfterAdvance", !afterAdvance);
        fields.put("finalWriter", last);
        return new Verdict(
                fields,
                beforeTheFirst && !afterTheFirst && !afterAdvance && last.equals(b.name()),
                "the late write passed until the new holder had written; after advance it was "
                        + (afterAdvance ? "accepted" : "refused") + "; the final value is from " + last);
    }

    /** A has been paused past its lease, and B holds the lock and has not written. */
    private static void overtaken(Stage stage) {
        stage.a().acquires();
        stage.a().pauses();
        stage.b().asksAndWaits();
        stage.b().acquired();
    }
}
