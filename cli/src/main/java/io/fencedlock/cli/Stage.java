package io.fencedlock.cli;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Where one run takes place: its workers, its lock, its resource, its clock. Used by one thread. */
final class Stage {
    private final Run run;
    private final Cast cast;
    private final Timeline timeline;
    private final String subject;
    private final long start;
    private final Actor a;
    private final Actor b;
    private final Actor c;

    /** The lock and the resource have one name, the subject. */
    Stage(Run run, Cast cast, Timeline timeline, String subject) {
        this.run = run;
        this.cast = cast;
        this.timeline = timeline;
        this.subject = subject;
        a = new Actor(cast.workers().get(0), this);
        b = new Actor(cast.workers().get(1), this);
        c = new Actor(cast.workers().get(2), this);
        start = cast.nanos().getAsLong();
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

    String subject() {
        return subject;
    }

    boolean fencing() {
        return run.fencing();
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

    void step(String worker, String action, OptionalLong token, String sentence, Map<String, Object> more) {
        long ms = TimeUnit.NANOSECONDS.toMillis(cast.nanos().getAsLong() - start);
        timeline.step(run, new Step(ms, worker, action, token, sentence, more));
    }
}
