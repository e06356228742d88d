package io.fencedlock.etcd;

import io.fencedlock.Liveness;
import io.fencedlock.LossReason;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A granted entry lives as long as its session, and as nobody deletes it. */
record EntryLiveness(EtcdSession session, Contender contender) implements Liveness.Session {

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
        return contender.lost();
    }
}
