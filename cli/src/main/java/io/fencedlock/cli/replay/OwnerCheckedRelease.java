package io.fencedlock.cli.replay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A release that looks whose lock it is lets no third one in, and stops nobody from writing. */
final class OwnerCheckedRelease implements Scenario {
    private static final double WORK = 1.5;

    @Override
    public String name() {
        return "owner-checked-release";
    }

    @Override
    public String summary() {
        return "a release that checks its owner: the late holder frees nobody's lock, but it has written beside the next";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of(false);
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        a.acquires();
        long begun = stage.now();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        stage.passUntil(begun, WORK);
        boolean beside = a.continuesAndWrites().accepted();
        String late = a.releases();
        stage.c().findsItHeld();
        b.writes();
        String own = b.releases();
        String last = stage.c().reads().orElse("nobody");

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("wroteBesideTheHolder", beside);
        fields.put("lateRelease", late);
        fields.put("otherLockDeleted", !own.equals("RELEASED"));
        fields.put("finalWriter", last);
        return new Verdict(
                fields,
                beside && !late.equals("RELEASED") && own.equals("RELEASED") && last.equals(b.name()),
                "the late release touched nobody's lock, and yet two wrote; the final value is from " + last);
    }
}
