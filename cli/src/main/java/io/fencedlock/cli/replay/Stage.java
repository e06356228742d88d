package io.fencedlock.cli.replay;

import io.fencedlock.cli.TokenSource;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Where one run takes place: its workers, its lock, its resource, its clock. Used by one thread. */
final class Stage {
    private final Run run;
    private final Cast cast;
    private final Faults faults;
    private final Timeline timeline;
    private final String subject;
    private final Resource resource;
    private final long start;
    private final Actor a;
    private final Actor b;
    private final Actor c;

    /** The lock and the resource have one name, the subject. */
    Stage(Run run, Venue venue, Timeline timeline, String subject, Resource resource) {
        this.run = run;
        this.cast = venue.cast();
        this.faults = venue.faults();
        this.timeline = timeline;
        this.subject = subject;
        this.resource = resource;
        a = new Actor(cast.workers().get(0), this);
        b = new Actor(cast.workers().get(1), this);
        c = new Actor(cast.workers().get(2), this);
        start = cast.clock().nanos();
    }

    Actor a() {
        return a;
    }

    Actor b() {
        return b;
    }

    Actor c() {
        return c;
    }

    Faults faults() {
        return faults;
    }

    String subject() {
        return subject;
    }

    Resource resource() {
        return resource;
    }

    boolean fencing() {
        return run.fencing();
    }

    TokenSource tokens() {
        return run.tokens();
    }

    Duration lease() {
        return cast.lease();
    }

    Duration patience() {
        return cast.patience();
    }

    String pausing() {
        return cast.pausing();
    }

    long now() {
        return cast.clock().nanos();
    }

    /** Lets time pass: so many lease times since then. */
    void passUntil(long since, double leases) {
        cast.clock().passUntil(since + (long) (leases * lease().toNanos()));
    }

    /** What happens to the store or to the network, done by nobody of the workers. */
    void happens(String where, String action, String sentence) {
        step(where, action, OptionalLong.empty(), sentence, Map.of());
    }

    void step(String worker, String action, OptionalLong token, String sentence, Map<String, Object> more) {
        long ms = TimeUnit.NANOSECONDS.toMillis(cast.clock().nanos() - start);
        timeline.step(run, new Step(ms, worker, action, token, sentence, more));
    }
}
