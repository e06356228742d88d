package io.fencedlock.cli.replay;

import io.fencedlock.cli.DurationConverter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Work divided item by item: each has one owner at a time and a fence of its own, and nobody asks for a lock. */
final class Partitioned implements Scenario {

    @Override
    public String name() {
        return "partitioned";
    }

    @Override
    public String summary() {
        return "each item of work is claimed by one owner, with a fence of its own: no lock; the late owner completes nothing";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of(true);
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        String first = stage.subject() + "-item-1";
        String second = stage.subject() + "-item-2";
        List.of(first, second)
                .forEach(item -> stage.c().does(Message.order("add-item").with("item", item)));
        long claimOfA = claim(stage, a, first, Duration.ZERO);
        claim(stage, b, second, Duration.ZERO);
        boolean own = completed(b, b.does(complete(stage, b)));
        a.pauses();
        long claimOfB = claim(stage, b, first, stage.patience());
        boolean taken = completed(b, b.does(complete(stage, b)));
        boolean late = completed(a, a.continuesWith(complete(stage, a), "completes the item"));
        String last = stage.c().reads().orElse("nobody");

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("staleWriteRefused", !late);
        fields.put("staleToken", claimOfA);
        fields.put("acceptedToken", claimOfB);
        fields.put("finalWriter", last);
        return new Verdict(
                fields,
                own && taken && !late && claimOfA < claimOfB && last.equals(b.name()),
                "no lock was asked for; the late owner " + (late ? "completed" : "completed nothing")
                        + "; the final value is from " + last);
    }

    private static long claim(Stage stage, Actor actor, String item, Duration wait) {
        Message report = actor.does(Message.order("claim")
                .with("item", item)
                .with("leaseMs", stage.lease().toMillis())
                .with("waitMs", wait.toMillis()));
        if (!report.is("granted")) {
            throw new IllegalStateException(actor.name() + " could not claim " + item);
        }
        long fence = report.number("token");
        String time = DurationConverter.shown(stage.lease());
        actor.tells(
                "claimed",
                "claimed " + item + " for " + time + ", claim " + fence,
                Map.of("claim", fence, "item", item));
        return fence;
    }

    private static Message complete(Stage stage, Actor actor) {
        return Message.order("complete").with("resource", stage.subject()).with("value", actor.name());
    }

    private static boolean completed(Actor actor, Message report) {
        boolean done = report.is("accepted");
        if (done) {
            actor.tells("wrote", "completed the item and wrote what it yielded", Map.of("value", actor.name()));
        } else {
            actor.tells(
                    "refused",
                    "completing REFUSED: claim " + report.number("staleToken") + " is older than "
                            + report.number("acceptedToken"),
                    Map.of(
                            "staleToken", report.number("staleToken"),
                            "acceptedToken", report.number("acceptedToken")));
        }
        return done;
    }
}
