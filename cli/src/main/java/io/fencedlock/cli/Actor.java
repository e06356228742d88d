package io.fencedlock.cli;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A worker on a stage: does something and tells the timeline. */
final class Actor {
    private static final Duration LIMIT = Duration.ofSeconds(30);

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

    /** Connects, before the timeline begins. */
    static void makeReady(Iterable<Worker> workers, String subject) {
        workers.forEach(worker -> worker.begin(Message.order("ready").with("name", subject)));
        workers.forEach(worker -> worker.end(LIMIT));
    }

    static void remove(Worker worker, String subject) {
        worker.begin(Message.order("remove").with("resource", subject));
        worker.end(LIMIT);
    }

    long acquires() {
        begin(acquire(Duration.ofSeconds(5)));
        return acquired();
    }

    /** Asks for the lock that another has, and waits; {@link #acquired} is the end of it. */
    void asksAndWaits() {
        tell("waiting", "asked for the lock and waits", Map.of());
        begin(acquire(stage.patience()));
    }

    long acquired() {
        Message report = worker.end(stage.patience().plus(LIMIT));
        if (!report.is("granted")) {
            throw new IllegalStateException(name() + " did not get the lock within " + stage.patience());
        }
        token = OptionalLong.of(report.number("token"));
        tell("acquired", "acquired the lock for " + DurationConverter.shown(stage.lease()), Map.of());
        return token();
    }

    /** One try, which finds the lock held. */
    void findsItHeld() {
        begin(acquire(Duration.ZERO));
        if (worker.end(LIMIT).is("granted")) {
            throw new IllegalStateException(name() + " got a lock that is held");
        }
        tell("held", "asked for the lock: held by another", Map.of());
    }

    /** Looks at its lease, as careful code does before a write; what happens between the look and the write is the scenario. */
    void checks() {
        boolean valid = tell(Message.order("check")).is("valid");
        tell(
                "checked",
                "looked at its lease: " + (valid ? "valid" : "over") + "; goes on to write",
                Map.of("valid", valid));
    }

    void pauses() {
        worker.pause();
        tell("paused", "paused (" + stage.pausing() + "), nothing in it runs", Map.of());
    }

    /** Continues, and at once does what it was about to do: the write. */
    Written continuesAndWrites() {
        begin(write());
        tell("resumed", "continues, and writes what it had", Map.of());
        worker.resume();
        return written();
    }

    Written writes() {
        begin(write());
        return written();
    }

    private Written written() {
        Message report = worker.end(LIMIT);
        if (report.is("accepted")) {
            tell("wrote", "wrote \"" + name() + "\": accepted", Map.of("value", name()));
            return new Written(true, 0, 0);
        }
        Written refused = new Written(false, report.number("staleToken"), report.number("acceptedToken"));
        tell(
                "refused",
                "write REFUSED: token " + refused.staleToken() + " is older than " + refused.acceptedToken(),
                Map.of("staleToken", refused.staleToken(), "acceptedToken", refused.acceptedToken()));
        return refused;
    }

    void releases() {
        String found = tell(Message.order("release")).text("release");
        tell("released", "released the lock", Map.of("found", found));
    }

    Optional<String> reads() {
        Message report = tell(Message.order("read").with("resource", stage.subject()));
        Optional<String> value = report.has("value") ? Optional.of(report.text("value")) : Optional.empty();
        String shown = value.map(v -> "\"" + v + "\"").orElse("nothing");
        tell(
                "read",
                "read the resource: " + shown,
                value.<Map<String, Object>>map(v -> Map.of("value", v)).orElse(Map.of()));
        return value;
    }

    private Message acquire(Duration wait) {
        return Message.order("acquire")
                .with("lock", stage.subject())
                .with("leaseMs", stage.lease().toMillis())
                .with("waitMs", wait.toMillis())
                .with("renewed", true);
    }

    private Message write() {
        return Message.order("write")
                .with("resource", stage.subject())
                .with("value", name())
                .with("fenced", stage.fencing());
    }

    private void begin(Message order) {
        worker.begin(order);
    }

    private Message tell(Message order) {
        worker.begin(order);
        return worker.end(LIMIT);
    }

    private void tell(String action, String sentence, Map<String, Object> more) {
        stage.step(
                name(),
                action,
                action.equals("held") || action.equals("waiting") || action.equals("read")
                        ? OptionalLong.empty()
                        : token,
                sentence,
                more);
    }
}
