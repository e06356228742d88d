package io.fencedlock.redis;

import io.fencedlock.AcquireRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One request to acquire on its way: tells its contender when it goes out and when it cannot come any more. */
final class Ask implements RedisCommands.Arguments {

    private final Contender contender;
    private final AcquireRequest request;
    private final Optional<Contender.Place> place;
    private final Terms terms;
    /** Guarded by the contender, as is the next. */
    private @Nullable Wire sentOn;

    private boolean waited;

    Ask(Contender contender, AcquireRequest request, Optional<Contender.Place> place, Terms terms) {
        this.contender = contender;
        this.request = request;
        this.place = place;
        this.terms = terms;
    }

    @Override
    public Object monitor() {
        return contender;
    }

    /** Asked a second time when the server has lost the script. */
    @Override
    public String[] on(Wire wire) {
        contender.checkWanted();
        if (sentOn == null) {
            sentOn = wire;
            waited = contender.sending(wire, place);
        }
        return place.map(where -> terms.acquire(request.holder(), request.lease(), where, waited))
                .orElseGet(() -> terms.acquire(request.holder(), request.lease()));
    }

    /** The server answered, or has certainly not run it. */
    void settled() {
        synchronized (contender) {
            if (sentOn != null) {
                contender.answered(sentOn);
            }
        }
    }
}
