package io.fencedlock.etcd;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.LockClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One etcd lease, kept alive until it is closed or has ended; both for good. Until when it lives is reckoned from before the last acknowledged
 * request was sent. Thread-safe.
 *
 * <p>Its id is chosen here, so that a request without an answer can be repeated and what it may have made can be revoked.
 */
final class EtcdSession {

    private static final Logger LOG = LoggerFactory.getLogger(EtcdSession.class);
    private static final int RENEWALS = 3;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final EtcdClient client;
    private final LockClock clock;
    private final Consumer<EtcdSession> sweep;
    private final Consumer<EtcdSession> ended;
    private final long etcdLease = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);

    /** Guarded by this, as all below. */
    private long seconds;

    private long validUntil;
    private State state = State.NEW;
    /** Whether the server may have it. */
    private boolean asked;

    private @Nullable CompletableFuture<EtcdSession> granting;
    private LockClock.@Nullable Timer timer;
    private int revokesLeft;

    private enum State {
        NEW,
        LIVE,
        OVER
    }

    /**
     * Makes one, without a request.
     *
     * @param sweep compares what the server has on it with what we know; after every renewal
     * @param ended runs once when it has ended without having been closed
     */
    EtcdSession(EtcdClient client, long seconds, Consumer<EtcdSession> sweep, Consumer<EtcdSession> ended) {
        this.client = client;
        this.clock = client.clock();
        this.seconds = seconds;
        this.sweep = sweep;
        this.ended = ended;
        validUntil = clock.nanos();
    }

    long etcdLease() {
        return etcdLease;
    }

    synchronized Duration timeout() {
        return Duration.ofSeconds(seconds);
    }

    synchronized long validUntilNanos() {
        return validUntil;
    }

    synchronized boolean isOver() {
        return state == State.OVER;
    }

    /** Makes the etcd lease unless it is there. */
    CompletableFuture<EtcdSession> ready() {
        CompletableFuture<EtcdSession> given;
        synchronized (this) {
            if (state == State.OVER) {
                return CompletableFuture.failedFuture(
                        new BackendUnavailableException("the etcd lease has ended", null));
            }
            if (state == State.LIVE) {
                return CompletableFuture.completedFuture(this);
            }
            if (granting != null) {
                return granting;
            }
            given = new CompletableFuture<>();
            granting = given;
            asked = true;
        }
        long sent = clock.nanos();
        client.grant(etcdLease, seconds).whenComplete((answer, failure) -> granted(given, sent, answer, failure));
        return given;
    }

    private void granted(
            CompletableFuture<EtcdSession> given,
            long sent,
            @Nullable LeaseGrantResponse answer,
            @Nullable Throwable failure) {
        if (answer != null) {
            confirmed(sent, answer.getTTL());
            given.complete(this);
        } else if (EtcdErrors.leaseExists(failure)) {
            // Made by an earlier request of ours, whose answer was lost.
            long now = clock.nanos();
            client.keepAlive(etcdLease).whenComplete((kept, again) -> {
                if (kept != null && kept.getTTL() > 0) {
                    confirmed(now, kept.getTTL());
                    given.complete(this);
                } else {
                    failed(given, again);
                }
            });
        } else {
            failed(given, failure);
        }
    }

    /** No entry was made, whatever became of the etcd lease. */
    private void failed(CompletableFuture<EtcdSession> given, @Nullable Throwable failure) {
        synchronized (this) {
            granting = null;
        }
        String why =
                failure == null ? "it has ended" : EtcdErrors.unwrapped(failure).getMessage();
        given.completeExceptionally(new BackendUnavailableException("no etcd lease could be had: " + why, failure));
    }

    private void confirmed(long sent, long ttl) {
        synchronized (this) {
            granting = null;
            if (state == State.OVER) {
                return;
            }
            if (state == State.NEW && ttl > seconds) {
                LOG.info("etcd grants no etcd leases below {} s: {} s were asked for", ttl, seconds);
            }
            state = State.LIVE;
            seconds = ttl;
            long time = TimeUnit.SECONDS.toNanos(ttl);
            long until = sent + time - Math.min(MARGIN_NANOS, time / 8) - time / 100;
            validUntil = until - validUntil > 0 ? until : validUntil;
            next(sent + time / RENEWALS - clock.nanos());
        }
    }

    private void next(long inNanos) {
        if (timer != null) {
            timer.cancel();
        }
        timer = clock.schedule(Math.max(0, inNanos), this::renew);
    }

    private void renew() {
        long sent = clock.checkedNanos();
        synchronized (this) {
            if (state != State.LIVE) {
                return;
            }
        }
        if (sent - validUntilNanos() >= 0) {
            LOG.warn("the etcd lease was not renewed in time and counts as ended");
            end();
            return;
        }
        client.keepAlive(etcdLease).whenComplete((answer, failure) -> renewed(sent, answer, failure));
    }

    private void renewed(long sent, @Nullable LeaseKeepAliveResponse answer, @Nullable Throwable failure) {
        if (answer == null) {
            LOG.debug("renewal of the etcd lease is repeated: {}", failure == null ? "" : failure.getMessage());
            synchronized (this) {
                if (state == State.LIVE) {
                    next(Math.min(RETRY_NANOS, TimeUnit.SECONDS.toNanos(seconds) / 12));
                }
            }
        } else if (answer.getTTL() <= 0) {
            LOG.warn("the etcd lease has ended on the server");
            end();
        } else {
            confirmed(sent, answer.getTTL());
            sweep.accept(this);
        }
    }

    /** It is over: for good, whatever the server may say later. */
    void end() {
        synchronized (this) {
            if (state == State.OVER) {
                return;
            }
            over();
        }
        ended.accept(this);
        revokeSoon();
    }

    private void over() {
        state = State.OVER;
        validUntil = clock.nanos();
        if (timer != null) {
            timer.cancel();
        }
        // As long as the server may keep it, and as long again after a change of leader.
        revokesLeft = (int) Math.min(1000, 2 * seconds + 2);
    }

    /** Takes it back; whoever had entries on it knows. */
    CompletableFuture<?> close() {
        synchronized (this) {
            if (state == State.OVER) {
                return CompletableFuture.completedFuture(null);
            }
            over();
            if (!asked) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return revokeSoon();
    }

    private CompletableFuture<?> revokeSoon() {
        return client.revoke(etcdLease).handle((answer, failure) -> {
            boolean again;
            synchronized (this) {
                again = failure != null && !EtcdErrors.leaseGone(failure) && revokesLeft-- > 0;
            }
            if (again) {
                clock.schedule(TimeUnit.SECONDS.toNanos(1), this::revokeSoon);
            }
            return answer;
        });
    }
}
