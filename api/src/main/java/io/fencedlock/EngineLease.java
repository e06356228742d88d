package io.fencedlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine of one lease: held, then either released or lost, for good.
 *
 * <p>Until when it is valid is reckoned from a clock reading taken <em>before</em> the last acknowledged request was sent, so that it can
 * only be pessimistic. Renewals end before the release is sent, and since no renewal creates an entry, none resurrects one.
 */
final class EngineLease implements Lease, Pulse.Timed {

    private static final Logger LOG = LoggerFactory.getLogger(EngineLease.class);
    /** Renewed every third of the lease time; after an error four times as often. */
    private static final int RENEWALS_PER_LEASE = 3;

    private static final int RETRIES_PER_LEASE = 12;

    private final LockEngine engine;
    private final Grant grant;
    private final Liveness liveness;
    private final boolean renewed;
    private final long holdUntil;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

    /** The end by the last acknowledged renewal; without one by session, the end that the user asked for. */
    private volatile long ownEnd;
    /** The clock's doubts before the last acknowledged request was sent. */
    private volatile long confirmedDoubts;
    /** When the next renewal is due. */
    private volatile long renewAt;

    /** Guarded by this, as all below. */
    private boolean renewing;

    private boolean endTimerSet;
    private @Nullable LossReason lossReason;
    private @Nullable CompletableFuture<Release> release;
    /** Copy of the two above for readers without the lock: true once either is set. */
    private volatile boolean over;

    EngineLease(LockEngine engine, Attempt.Granted granted, LockOptions options, long sent, long doubts) {
        this.engine = engine;
        grant = granted.grant();
        liveness = granted.liveness();
        renewed = options.renewed();
        holdUntil = sent + options.maxHold().map(Duration::toNanos).orElse(EngineLock.FOREVER.toNanos());
        if (liveness instanceof Liveness.Timed timed) {
            ownEnd = sent + timed.validFor().toNanos();
        } else {
            ownEnd = sent + (renewed ? EngineLock.FOREVER : grant.leaseTime()).toNanos();
        }
        confirmedDoubts = doubts;
        renewAt = sent + grant.leaseTime().toNanos() / RENEWALS_PER_LEASE;
    }

    /** Begins to look after it. */
    void start() {
        engine.pulse().adapt(grant.leaseTime());
        engine.pulse().add(this);
        if (liveness instanceof Liveness.Session session) {
            session.lost().thenAccept(this::lose);
        }
    }

    @Override
    public Grant grant() {
        return grant;
    }

    private long validUntil() {
        long end = ownEnd - holdUntil < 0 ? ownEnd : holdUntil;
        if (liveness instanceof Liveness.Session session) {
            long sessionEnd = session.validUntilNanos();
            return sessionEnd - end < 0 ? sessionEnd : end;
        }
        return end;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos(engine.clock().checkedNanos()));
    }

    @Override
    public boolean isValid() {
        return remainingNanos(engine.clock().checkedNanos()) > 0;
    }

    long remainingNanos(long now) {
        boolean certain = !over && confirmedDoubts == engine.clock().doubts();
        return certain ? Math.max(0, validUntil() - now) : 0;
    }

    @Override
    public void ensureValid() {
        if (isValid()) {
            return;
        }
        throw ended();
    }

    /** Why it is not valid. */
    private synchronized RuntimeException ended() {
        if (lossReason == null && release != null) {
            return new IllegalStateException("the lease of lock " + grant.name() + " was released");
        }
        return new LeaseLostException(grant, lossReason != null ? lossReason : LossReason.EXPIRED);
    }

    @Override
    public void look(long now) {
        long end = validUntil();
        if (now - end >= 0) {
            lose(now - holdUntil >= 0 ? LossReason.MAX_HOLD : LossReason.EXPIRED);
            return;
        }
        boolean doubtful = confirmedDoubts != engine.clock().doubts();
        boolean due = renewed && liveness instanceof Liveness.Timed && now - renewAt >= 0;
        if (doubtful || due) {
            renewOnce();
        }
        if (end - now < 2 * engine.pulse().periodNanos()) {
            lookAtEnd(end - now);
        }
    }

    /** So that the loss is told at its time, not at the pulse after it. */
    private void lookAtEnd(long inNanos) {
        synchronized (this) {
            if (endTimerSet || over) {
                return;
            }
            endTimerSet = true;
        }
        engine.clock().schedule(inNanos, () -> {
            synchronized (this) {
                endTimerSet = false;
                if (over) {
                    return;
                }
            }
            look(engine.clock().checkedNanos());
        });
    }

    private void renewOnce() {
        synchronized (this) {
            if (renewing || over) {
                return;
            }
            renewing = true;
        }
        sendRenewal().whenComplete((renewal, failed) -> {
            synchronized (this) {
                renewing = false;
            }
            if (failed != null) {
                renewAt = engine.clock().nanos() + grant.leaseTime().toNanos() / RETRIES_PER_LEASE;
                LOG.warn(
                        "renewal of lock {} with token {} is repeated: {}",
                        grant.name(),
                        grant.token(),
                        failed.getMessage());
            }
        });
    }

    private CompletableFuture<Renewal> sendRenewal() {
        long sent = engine.clock().checkedNanos();
        long doubts = engine.clock().doubts();
        return engine.requests()
                .send(
                        () -> "renewal of lock " + grant.name(),
                        () -> engine.backend().renew(grant))
                .whenComplete((renewal, failed) -> {
                    if (renewal instanceof Renewal.Renewed confirmed) {
                        confirmed(sent, doubts, confirmed.validFor());
                    } else if (renewal instanceof Renewal.NotHeld) {
                        lose(LossReason.NOT_HELD);
                    }
                });
    }

    private synchronized void confirmed(long sent, long doubts, Duration validFor) {
        if (over) {
            return;
        }
        boolean timedByBackend = liveness instanceof Liveness.Timed;
        long end = sent + (timedByBackend ? validFor : grant.leaseTime()).toNanos();
        if (timedByBackend || !renewed) {
            ownEnd = end - ownEnd > 0 ? end : ownEnd;
        }
        confirmedDoubts = doubts;
        renewAt = sent + grant.leaseTime().toNanos() / RENEWALS_PER_LEASE;
    }

    @Override
    public void renew() throws InterruptedException {
        Requests.await(renewal());
    }

    @Override
    public CompletableFuture<Void> renewAsync() {
        CompletableFuture<Void> given = new CompletableFuture<>();
        renewal()
                .whenComplete((done, failed) -> engine.callBack(() -> {
                    if (failed == null) {
                        given.complete(null);
                    } else {
                        given.completeExceptionally(failed);
                    }
                }));
        return given;
    }

    private CompletableFuture<Void> renewal() {
        if (over || engine.clock().checkedNanos() - validUntil() >= 0) {
            return CompletableFuture.failedFuture(ended());
        }
        CompletableFuture<Void> given = new CompletableFuture<>();
        sendRenewal().whenComplete((renewal, failed) -> {
            if (failed != null) {
                given.completeExceptionally(failed);
            } else if (over) {
                given.completeExceptionally(ended());
            } else {
                given.complete(null);
            }
        });
        return given;
    }

    /** Ends it as lost, unless it is over already: told once, and taken back on the server in case something is left there. */
    void lose(LossReason reason) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            lossReason = reason;
            release = CompletableFuture.completedFuture(Release.NOT_HELD);
        }
        engine.ended(this);
        LOG.warn("lease of lock {} with token {} is lost: {}", grant.name(), grant.token(), reason.text());
        engine.callBack(() -> lost.complete(reason));
        engine.undo(
                "release of lost lock " + grant.name(), () -> engine.backend().release(grant), grant.leaseTime());
    }

    @Override
    public Release release() {
        CompletableFuture<Release> answer = releasing();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw Requests.forCaller(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public CompletableFuture<Release> releaseAsync() {
        CompletableFuture<Release> given = new CompletableFuture<>();
        releasing().thenAccept(answer -> engine.callBack(() -> given.complete(answer)));
        return given;
    }

    /** Ends it as released, unless it is over already; completes within the command timeout. */
    CompletableFuture<Release> releasing() {
        CompletableFuture<Release> answer = new CompletableFuture<>();
        synchronized (this) {
            if (release != null) {
                return release;
            }
            over = true;
            release = answer;
        }
        engine.ended(this);
        engine.requests()
                .send(
                        () -> "release of lock " + grant.name(),
                        () -> engine.backend().release(grant))
                .whenComplete((found, failed) -> {
                    if (failed == null) {
                        answer.complete(found);
                    } else {
                        engine.undo(
                                "release of lock " + grant.name(),
                                () -> engine.backend().release(grant),
                                grant.leaseTime());
                        answer.complete(Release.UNKNOWN);
                    }
                });
        return answer;
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return lost.minimalCompletionStage();
    }

    @Override
    public Lease onLost(Consumer<LossReason> callback) {
        lost.thenAccept(reason -> engine.callBack(() -> callback.accept(reason)));
        return this;
    }

    @Override
    public void close() {
        try {
            Release found = release();
            if (found != Release.RELEASED) {
                LOG.warn("release of lock {} with token {}: {}", grant.name(), grant.token(), found);
            }
        } catch (RuntimeException e) {
            LOG.warn("release of lock {} with token {} failed", grant.name(), grant.token(), e);
        }
    }

    @Override
    public String toString() {
        return "Lease[" + grant.name() + " token " + grant.token() + "]";
    }
}
