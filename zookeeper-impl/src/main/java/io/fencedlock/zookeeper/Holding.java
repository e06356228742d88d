package io.fencedlock.zookeeper;

import io.fencedlock.Attempt;
import io.fencedlock.Grant;
import io.fencedlock.Liveness;
import io.fencedlock.LossReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A grant, alive as long as its session and its node are. Thread-safe. */
final class Holding implements Liveness.Session {

    private final ZkSession session;
    private final Attempt.Granted attempt;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

    Holding(ZkSession session, Grant grant) {
        this.session = session;
        attempt = new Attempt.Granted(grant, this);
    }

    Attempt.Granted attempt() {
        return attempt;
    }

    void lose(LossReason reason) {
        lost.complete(reason);
    }

    @Override
    public long validUntilNanos() {
        return session.validUntilNanos();
    }

    @Override
    public Duration timeout() {
        return session.timeout();
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return lost;
    }
}
