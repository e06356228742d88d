package io.fencedlock.cli;

import io.fencedlock.cli.Actor.Written;
import java.util.LinkedHashMap;
import java.util.Map;

/** A holder is paused past its lease, and writes after the next holder has written. */
final class StaleWrite implements Scenario {

    @Override
    public String name() {
        return "stale-write";
    }

    @Override
    public String summary() {
        return "a holder is paused past its lease and writes after the next holder: refused by its token, or it overwrites";
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        a.acquires();
        a.checks();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        stage.c().findsItHeld();
        b.writes();
        b.releases();
        Written late = a.continuesAndWrites();
        String last = stage.c().reads().orElse("nobody");

        boolean ordered = a.token() < b.token();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("staleWriteRefused", !late.accepted());
        fields.put("staleToken", a.token());
        fields.put("acceptedToken", late.accepted() ? b.token() : late.acceptedToken());
        fields.put("finalWriter", last);
        if (stage.fencing()) {
            boolean numbers = late.staleToken() == a.token() && late.acceptedToken() == b.token();
            return new Verdict(
                    fields,
                    ordered && !late.accepted() && numbers && last.equals(b.name()),
                    late.accepted()
                            ? "the stale write was accepted; the final value is from " + last
                            : "the stale write was refused; the final value is from " + last);
        }
        return new Verdict(
                fields,
                ordered && late.accepted() && last.equals(a.name()),
                "nobody checked the token; the final value is from " + last
                        + (last.equals(a.name()) ? ", the stale write destroyed the newer one" : ""));
    }
}
