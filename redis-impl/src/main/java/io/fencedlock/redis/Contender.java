package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What this client remembers of a holder between its first request and its last: whether it stands among the waiters, what it was told,
 * and which of its requests may still come to the server. Thread-safe; its monitor is held while a request to acquire is sent.
 */
final class Contender {

    private static final CompletionStage<?> NOW = CompletableFuture.completedStage(null);
    /** A lock handed over is taken without another request only while the last answer is younger than this share of the lease. */
    private static final int YOUNG = 10;

    /** Guarded by this, as all below: how it stands among the waiters; null: not at all. */
    private @Nullable Place place;

    private boolean abandoned;
    /** Connections on which a request to acquire was sent that is not answered. */
    private final List<Wire> unanswered = new ArrayList<>(1);
    /** The token that stood against us in the last answer, 0 before one, and when its question was sent. */
    private long heldToken;

    private long heldAt;
    /** The token that was handed over to us, or 0. */
    private long handedToken;

    private @Nullable CompletableFuture<Void> changed;

    /**
     * A place among the waiters.
     *
     * @param handOver how long the lock is ours when it is handed over
     * @param text what the scripts know of it: "client:milliseconds:pid:host"
     */
    record Place(Duration handOver, String text) {}

    /**
     * A lock that was handed over.
     *
     * @param token its token
     * @param age the longest time since then
     */
    record Handed(long token, Duration age) {}

    /**
     * Looks whether a request to acquire may still go out.
     *
     * @throws BackendUnavailableException after {@link #abandon}
     */
    synchronized void checkWanted() {
        if (abandoned) {
            throw new BackendUnavailableException("the acquisition was given up before it was sent", null);
        }
    }

    /**
     * Notes that a request to acquire goes out.
     *
     * @param wanted the place that it asks for, if any
     * @return whether it may have a place already
     */
    synchronized boolean sending(Wire wire, Optional<Place> wanted) {
        boolean waited = place != null;
        place = wanted.orElse(place);
        unanswered.add(wire);
        return waited;
    }

    /** A request was answered; a single connection answers in order, so none before it is on its way either. */
    synchronized void answered(Wire wire) {
        if (wire.single()) {
            unanswered.removeIf(wire::equals);
        } else {
            unanswered.remove(wire);
        }
    }

    synchronized Optional<Place> place() {
        return Optional.ofNullable(place);
    }

    /** From now on no request to acquire is sent. */
    synchronized void abandon() {
        abandoned = true;
    }

    /** Whether a request to acquire may reach the server after one that is sent on this connection now. */
    synchronized boolean mayComeLate(Wire wire) {
        return unanswered.stream().anyMatch(sent -> !sent.single() || !sent.equals(wire));
    }

    /** Whether none of its requests can come to the server any more. */
    synchronized boolean isSettled() {
        return unanswered.isEmpty();
    }

    /** Whether it is certain to have no place among the waiters. */
    synchronized boolean hasNoPlace() {
        return unanswered.isEmpty() && (heldToken == 0 || place == null);
    }

    /**
     * Somebody else has the lock.
     *
     * @param token that holder's
     * @param askedAt the clock's reading before the question was sent
     * @return completes when it is worth asking again
     */
    synchronized CompletionStage<?> held(long token, long askedAt) {
        heldToken = token;
        heldAt = askedAt;
        changed = new CompletableFuture<>();
        return handedToken > token ? NOW : changed.minimalCompletionStage();
    }

    /** The lock was handed over with this token; or, for 0, it is worth asking again. */
    void tell(long token) {
        CompletableFuture<Void> waiting;
        synchronized (this) {
            handedToken = Math.max(handedToken, token);
            waiting = changed;
        }
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    /**
     * Looks whether the lock is ours already. The message must be newer than the last answer, which its greater token proves: so the hand-over
     * came after that question was sent, and the entry stands for the whole lease from then on.
     */
    synchronized Optional<Handed> handed(Duration lease, long now) {
        boolean whole = place != null && place.handOver().equals(lease);
        boolean fresh = heldToken > 0 && handedToken > heldToken && now - heldAt <= lease.toNanos() / YOUNG;
        return whole && fresh ? Optional.of(new Handed(handedToken, Duration.ofNanos(now - heldAt))) : Optional.empty();
    }
}
