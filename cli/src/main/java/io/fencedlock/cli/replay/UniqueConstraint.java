package io.fencedlock.cli.replay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A row that may exist once: of two who insert it the database lets one. */
final class UniqueConstraint implements Scenario {

    @Override
    public String name() {
        return "unique-constraint";
    }

    @Override
    public String summary() {
        return "both pay the same invoice, and its number is unique: the database takes one row";
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
        a.acquires();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        boolean first = paid(b, b.does(pay(stage, b)));
        b.releases();
        boolean late = paid(a, a.continuesWith(pay(stage, a), "inserts its payment"));

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("staleWriteRefused", !late);
        fields.put("finalWriter", first && !late ? b.name() : a.name());
        return new Verdict(
                fields,
                first && !late,
                late
                        ? "two payments were made"
                        : "one payment was made, by " + b.name() + "; the late one was refused");
    }

    private static Message pay(Stage stage, Actor actor) {
        return Message.order("pay").with("resource", stage.subject()).with("value", actor.name());
    }

    private static boolean paid(Actor actor, Message report) {
        boolean done = report.is("accepted");
        if (done) {
            actor.tells("wrote", "inserted the payment: accepted", Map.of("value", actor.name()));
        } else {
            actor.tells("refused", "inserted the payment: REFUSED, there is one for this invoice");
        }
        return done;
    }
}
