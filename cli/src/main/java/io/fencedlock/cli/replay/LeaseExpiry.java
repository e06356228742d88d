package io.fencedlock.cli.replay;

import io.fencedlock.cli.DurationConverter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lock of the article with its plain delete: one lease that is too short makes three writers. */
final class LeaseExpiry implements Scenario {
    private static final double WORK = 1.5;

    @Override
    public String name() {
        return "lease-expiry";
    }

    @Override
    public String summary() {
        return "a lock with a plain delete: a late holder deletes the next one's lock, and a third gets in";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of(false);
    }

    @Override
    public Needs needs() {
        return Needs.ARTICLE_LOCK;
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        Actor c = stage.c();
        take(stage, a, Duration.ZERO);
        long begun = stage.now();
        a.pauses();
        take(stage, b, stage.patience());
        stage.passUntil(begun, WORK);
        boolean accepted = a.continuesAndWrites().accepted();
        String deletedByA = delete(stage, a);
        take(stage, c, Duration.ZERO);
        long third = stage.now();
        stage.passUntil(third, 0.3);
        accepted &= b.writes().accepted();
        String deletedByB = delete(stage, b);
        accepted &= c.writes().accepted();
        delete(stage, c);
        String last = c.reads().orElse("nobody");

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("writers", 3);
        fields.put("deletedByA", deletedByA);
        fields.put("deletedByB", deletedByB);
        fields.put("finalWriter", last);
        return new Verdict(
                fields,
                accepted && deletedByA.equals(b.name()) && deletedByB.equals(c.name()) && last.equals(c.name()),
                "three were inside at once and all wrote; A deleted the lock of " + deletedByA + ", B that of "
                        + deletedByB + "; the final value is from " + last);
    }

    private static void take(Stage stage, Actor actor, Duration wait) {
        if (!wait.isZero()) {
            actor.tells("waiting", "asked for the lock and tries again and again");
        }
        Message report = actor.does(Message.order("take")
                .with("lock", stage.subject())
                .with("owner", actor.name())
                .with("leaseMs", stage.lease().toMillis())
                .with("waitMs", wait.toMillis()));
        if (!report.is("granted")) {
            throw new IllegalStateException(actor.name() + " did not get the lock of the article");
        }
        actor.tells("acquired", "created the lock entry for " + DurationConverter.shown(stage.lease()));
    }

    private static String delete(Stage stage, Actor actor) {
        Message report = actor.does(Message.order("delete").with("lock", stage.subject()));
        String owner = report.has("owner") ? report.text("owner") : "nobody";
        actor.tells(
                "deleted",
                owner.equals("nobody")
                        ? "deleted the lock entry: there was none"
                        : "deleted the lock entry: it was " + owner + "'s",
                Map.of("owner", owner));
        return owner;
    }
}
