package io.fencedlock.cli.replay;

import io.fencedlock.cli.replay.Actor.Written;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every write shows its token: the holder writes as often as it likes, who came before it not at all. */
final class Fenced implements Scenario {

    @Override
    public String name() {
        return "fenced";
    }

    @Override
    public String summary() {
        return "every write shows its token: the holder writes more than once, the late one is refused, the next goes on";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of(true);
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        Actor c = stage.c();
        a.acquires();
        boolean accepted = a.writes().accepted();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        accepted &= b.writes().accepted();
        Written late = a.continuesAndWrites();
        accepted &= b.writes().accepted();
        b.releases();
        c.acquires();
        accepted &= c.writes().accepted();
        c.releases();
        String last = b.reads().orElse("nobody");

        boolean ordered = a.token() < b.token() && b.token() < c.token();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("staleWriteRefused", !late.accepted());
        fields.put("staleToken", a.token());
        fields.put("acceptedToken", late.accepted() ? b.token() : late.acceptedToken());
        fields.put("finalWriter", last);
        return new Verdict(
                fields,
                ordered && accepted && !late.accepted() && last.equals(c.name()),
                "all holders wrote, the late write was " + (late.accepted() ? "accepted" : "refused")
                        + "; the final value is from " + last);
    }
}
