package io.fencedlock.cli.replay;

import io.fencedlock.cli.DurationConverter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A worker on a stage: does something and tells the timeline. */
final class Actor {
    private static final Duration LIMIT = Duration.ofSeconds(45);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);
    private static final Set<String> WITHOUT_TOKEN = Set.of("held", "waiting", "read", "saw");

    private final Worker worker;
    private final Stage stage;
    private OptionalLong token = OptionalLong.empty();

    Actor(Worker worker, Stage stage) {
        this.worker = worker;
        this.stage = stage;
    }

    /** What became of a write. */
    record Written(boolean accepted, long staleToken, long acceptedToken) {}

    String name() {
        return worker.name();
    }

    /** The token of its last lease. */
    long token() {
        return token.orElseThrow(() -> new IllegalStateException(name() + " has no token"));
    }

    /** A whole round of everything before the timeline begins, which is then not about the start of a JVM. */
    static void makeReady(Cast cast, String subject, Resource resource) {
        cast.workers()
                .forEach(worker -> worker.begin(Message.order("ready")
                        .with("lock", subject + "-ready-" + worker.name())
                        .with("on", resource.name())
                        .with("leaseMs", cast.lease().toMillis())));
        cast.workers().forEach(worker -> worker.end(LIMIT));
    }

    static void remove(Worker worker, String subject, Resource resource) {
        worker.begin(Message.order("remove").with("resource", subject).with("on", resource.name()));
        worker.end(LIMIT);
    }

    long acquires() {
        return granted(does(acquire(AT_ONCE, true)), AT_ONCE);
    }

    /** For a lease that is not made longer. */
    long acquiresWithoutRenewal() {
        return granted(does(acquire(AT_ONCE, false)), AT_ONCE);
    }

    /** Asks for the lock that another has, and waits; {@link #acquired} is the end of it. */
    void asksAndWaits() {
        tells("waiting", "asked for the lock and waits");
        begin(acquire(stage.patience(), true));
    }

    /** Asks for the lock, and hears nothing yet; {@link #acquired} is the end of it. */
    void asks() {
        tells("waiting", "asked for the lock");
        begin(acquire(stage.patience(), true));
    }

    long acquired() {
        return granted(worker.end(stage.patience().plus(LIMIT)), stage.patience());
    }

    private long granted(Message report, Duration limit) {
        if (!report.is("granted")) {
            throw new IllegalStateException(name() + " did not get the lock within " + limit);
        }
        token = OptionalLong.of(report.number("token"));
        tells("acquired", "acquired the lock for " + DurationConverter.shown(stage.lease()));
        return token();
    }

    /** One try, which finds the lock held. */
    void findsItHeld() {
        if (does(acquire(Duration.ZERO, true)).is("granted")) {
            throw new IllegalStateException(name() + " got a lock that is held");
        }
        tells("held", "asked for the lock: held by another");
    }

    /** Looks at its lease, as careful code does before a write; what happens between the look and the write is the scenario. */
    boolean checks() {
        boolean valid = does(Message.order("check")).is("valid");
        String sentence = "looked at its lease: " + (valid ? "valid; goes on to write" : "over; writes all the same");
        tells("checked", sentence, Map.of("valid", valid));
        return valid;
    }

    /** Looks into the store for the lock's holder until there is one. */
    long seesHolder() {
        long seen = does(Message.order("inspect").with("lock", stage.subject())).number("token");
        tells("saw", "looked into the store: held with token " + seen, Map.of("seenToken", seen));
        return seen;
    }

    /** The same as the first thing that it does after a pause. */
    boolean continuesAndChecks() {
        boolean valid =
                continuesWith(Message.order("check"), "looks at its lease").is("valid");
        String sentence =
                "its lease is " + (valid ? "valid by its own clock; goes on to write" : "over; writes all the same");
        tells("checked", sentence, Map.of("valid", valid));
        return valid;
    }

    void pauses() {
        worker.pause();
        tells("paused", "paused (" + stage.pausing() + "), nothing in it runs");
    }

    /** Goes on, and does at once what it was about to do. */
    Message continuesWith(Message order, String sentence) {
        begin(order);
        tells("resumed", "continues, and " + sentence);
        worker.resume();
        return worker.end(LIMIT);
    }

    Written continuesAndWrites() {
        return written(continuesWith(write(), "writes what it had"));
    }

    Written writes() {
        return written(does(write()));
    }

    private Written written(Message report) {
        if (report.is("accepted")) {
            tells("wrote", "wrote \"" + name() + "\": accepted", Map.of("value", name()));
            return new Written(true, 0, 0);
        }
        Written refused = new Written(false, report.number("staleToken"), report.number("acceptedToken"));
        tells(
                "refused",
                "write REFUSED: token " + refused.staleToken() + " is older than " + refused.acceptedToken(),
                Map.of("staleToken", refused.staleToken(), "acceptedToken", refused.acceptedToken()));
        return refused;
    }

    /** Raises the fence's mark before it reads what it will write from. */
    void advances() {
        does(onResource("advance"));
        tells("advanced", "told the resource its token (advance) before it reads and computes");
    }

    /** Answers what the release found. */
    String releases() {
        String found = does(Message.order("release")).text("release");
        tells(
                "released",
                found.equals("RELEASED")
                        ? "released the lock"
                        : "released the lock: " + found + ", it touched nobody else's",
                Map.of("found", found));
        return found;
    }

    Optional<String> reads() {
        Message report = does(onResource("read"));
        Optional<String> value = report.has("value") ? Optional.of(report.text("value")) : Optional.empty();
        String sentence =
                "read the resource: " + value.map(v -> "\"" + v + "\"").orElse("nothing");
        tells(
                "read",
                sentence,
                value.<Map<String, Object>>map(v -> Map.of("value", v)).orElse(Map.of()));
        return value;
    }

    private Message acquire(Duration wait, boolean renewed) {
        return Message.order("acquire")
                .with("lock", stage.subject())
                .with("leaseMs", stage.lease().toMillis())
                .with("waitMs", wait.toMillis())
                .with("renewed", renewed);
    }

    private Message write() {
        return onResource("write").with("value", name()).with("fenced", stage.fencing());
    }

    private Message onResource(String verb) {
        return Message.order(verb)
                .with("resource", stage.subject())
                .with("on", stage.resource().name());
    }

    void begin(Message order) {
        worker.begin(order);
    }

    Message does(Message order) {
        worker.begin(order);
        return worker.end(LIMIT);
    }

    /** The report of what was begun. */
    Message ends() {
        return worker.end(stage.patience().plus(LIMIT));
    }

    void tells(String action, String sentence) {
        tells(action, sentence, Map.of());
    }

    void tells(String action, String sentence, Map<String, Object> more) {
        stage.step(name(), action, WITHOUT_TOKEN.contains(action) ? OptionalLong.empty() : token, sentence, more);
    }
}
