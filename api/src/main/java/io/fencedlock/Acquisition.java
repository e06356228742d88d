package io.fencedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition on its way: asks, waits, asks again with the same holder, and ends in exactly one of four ways: granted, held to the
 * deadline, failed, given up. Whatever may be left on the server after the last three is undone in the background. Thread-safe.
 */
final class Acquisition {

    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A backend that says "now" must not make a busy loop. */
    private static final long SHORTEST_RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LONGEST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LockEngine engine;
    private final LockName name;
    private final LockOptions options;
    private final HolderId holder = HolderId.random();
    private final boolean waits;
    private final boolean endless;
    private final long deadline;
    private final CompletableFuture<Optional<Lease>> outcome = new CompletableFuture<>();

    /** Guarded by this, as all below: whether the outcome is settled. */
    private boolean settled;
    /** Whether a request is on its way, or waits for its turn. */
    private boolean asking;

    private boolean onItsWay;
    /** Whether the server may have something of this holder: a queue entry, or an entry made by a request without an answer. */
    private boolean traces;

    private long backoffNanos = FIRST_BACKOFF_NANOS;
    private long failingSince;
    private @Nullable FencedLockException failure;
    private LockClock.@Nullable Timer timer;
    /** Counts the waits, so that a late hint of an earlier one is not taken for a present one. */
    private int waitNumber;

    Acquisition(LockEngine engine, LockName name, LockOptions options, Duration maxWait) {
        this.engine = engine;
        this.name = name;
        this.options = options;
        waits = !maxWait.isZero();
        endless = maxWait.equals(EngineLock.FOREVER);
        deadline = engine.clock().nanos() + maxWait.toNanos();
    }

    /** Asks the backend when it is its turn, unless it is settled or asking already. */
    void ask() {
        synchronized (this) {
            if (settled || asking) {
                return;
            }
            asking = true;
            waitNumber++;
            cancelTimer();
        }
        boolean queued = !engine.turns().take(this::send);
        if (queued && waits && !endless) {
            endBeforeItsTurn();
        }
    }

    private void send() {
        long sent;
        boolean late;
        synchronized (this) {
            late = settled;
            onItsWay = !late;
            sent = engine.clock().nanos();
            cancelTimer();
        }
        if (late) {
            engine.turns().end();
            return;
        }
        Duration left = waits ? Duration.ofNanos(Math.max(1, deadline - sent)) : Duration.ZERO;
        AcquireRequest request = new AcquireRequest(name, holder, options.lease(), left);
        long doubts = engine.clock().doubts();
        engine.requests()
                .send(() -> "acquire of lock " + name, () -> engine.backend().acquire(request))
                .handle((attempt, failed) -> {
                    answered(attempt, failed, sent, doubts);
                    return attempt;
                })
                .exceptionally(bug -> {
                    settle(Requests.unknown("acquire of lock " + name, bug));
                    return null;
                })
                .whenComplete((attempt, none) -> engine.turns().end());
    }

    /** The turn may come after the deadline. */
    private void endBeforeItsTurn() {
        LockClock.Timer set =
                engine.clock().schedule(Math.max(0, deadline - engine.clock().nanos()), this::turnComesTooLate);
        keep(set, () -> asking && !onItsWay);
    }

    private void turnComesTooLate() {
        FencedLockException last;
        synchronized (this) {
            if (!asking || onItsWay) {
                return;
            }
            last = waitNumber == 1 ? notAsked() : failure;
        }
        settle(last);
    }

    private BackendUnavailableException notAsked() {
        return new BackendUnavailableException(
                "the acquire of lock " + name + " was not sent in its time: " + LockEngine.MOST_ASKING
                        + " others of this client had not been answered yet",
                null);
    }

    private void answered(@Nullable Attempt attempt, @Nullable Throwable failed, long sent, long doubts) {
        boolean over;
        synchronized (this) {
            asking = false;
            onItsWay = false;
            over = settled;
            traces |= failed instanceof OutcomeUnknownException || (attempt instanceof Attempt.Held && waits);
        }
        if (over) {
            // It was settled with this request on its way: what was undone then may have been too early.
            if (!(failed instanceof BackendUnavailableException)) {
                engine.undo(name, holder, options.lease());
            }
        } else if (attempt instanceof Attempt.Granted granted) {
            granted(granted, sent, doubts);
        } else if (attempt instanceof Attempt.Held held) {
            held(held);
        } else {
            retry(
                    failed instanceof FencedLockException known
                            ? known
                            : Requests.unknown("acquire of lock " + name, failed));
        }
    }

    private void granted(Attempt.Granted granted, long sent, long doubts) {
        EngineLease lease = new EngineLease(engine, granted, options, sent, doubts);
        if (lease.remainingNanos(engine.clock().nanos()) == 0) {
            synchronized (this) {
                traces = true;
            }
            retry(new OutcomeUnknownException("the grant of lock " + name + " came after its lease time", null));
            return;
        }
        boolean taken;
        synchronized (this) {
            taken = !settled;
            settled = true;
        }
        if (taken) {
            engine.started(this, lease);
            outcome.complete(Optional.of(lease));
        } else {
            engine.undo(name, holder, options.lease());
        }
    }

    private void held(Attempt.Held held) {
        int number;
        synchronized (this) {
            failure = null;
            backoffNanos = FIRST_BACKOFF_NANOS;
            number = waitNumber;
        }
        long now = engine.clock().nanos();
        if (!waits || now - deadline >= 0) {
            settle(null);
            return;
        }
        wakeAfter(Math.min(Math.max(SHORTEST_RECHECK_NANOS, held.recheck().toNanos()), deadline - now), number);
        held.changed().whenComplete((hint, error) -> wake(number));
    }

    private void retry(FencedLockException failed) {
        long now = engine.clock().nanos();
        long wait;
        int number;
        synchronized (this) {
            if (failure == null) {
                failingSince = now;
            }
            failure = failure instanceof OutcomeUnknownException ? failure : failed;
            wait = backoffNanos;
            backoffNanos = Math.min(LONGEST_BACKOFF_NANOS, 2 * backoffNanos);
            number = waitNumber;
        }
        boolean tired = endless && now - failingSince >= options.lease().toNanos();
        if (!waits || tired || now + wait - deadline >= 0) {
            settle(failure);
        } else {
            wakeAfter(wait, number);
        }
    }

    private void wakeAfter(long delayNanos, int number) {
        LockClock.Timer set = engine.clock().schedule(Math.max(0, delayNanos), () -> timeIsUp(number));
        keep(set, () -> !asking && waitNumber == number);
    }

    /** A timer was set outside the monitor: what it is for may be over. */
    private void keep(LockClock.Timer set, BooleanSupplier wanted) {
        synchronized (this) {
            if (!settled && wanted.getAsBoolean()) {
                timer = set;
                return;
            }
        }
        set.cancel();
    }

    private void timeIsUp(int number) {
        boolean over = engine.clock().nanos() - deadline >= 0;
        FencedLockException last;
        synchronized (this) {
            if (settled || asking || waitNumber != number) {
                return;
            }
            last = failure;
        }
        if (over) {
            settle(last);
        } else {
            ask();
        }
    }

    private void wake(int number) {
        synchronized (this) {
            if (settled || asking || waitNumber != number) {
                return;
            }
        }
        ask();
    }

    /** Ends without a lease: with a failure, or, for null, because others held the lock. */
    void settle(@Nullable RuntimeException failed) {
        boolean undo;
        synchronized (this) {
            if (settled) {
                return;
            }
            settled = true;
            cancelTimer();
            undo = traces || onItsWay;
        }
        engine.ended(this);
        if (undo) {
            engine.undo(name, holder, options.lease());
        }
        if (failed == null) {
            outcome.complete(Optional.empty());
        } else {
            outcome.completeExceptionally(failed);
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Gives up; a lease granted already is given back. */
    private void giveUp() {
        settle(new CancellationException("the acquisition of lock " + name + " was given up"));
        outcome.whenComplete((lease, failed) -> {
            if (lease != null) {
                lease.ifPresent(Lease::releaseAsync);
            }
        });
    }

    /** The blocking face. */
    Optional<Lease> await() throws InterruptedException {
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            giveUp();
            throw e;
        } catch (ExecutionException e) {
            throw Requests.forCaller(e);
        }
    }

    /** The face without blocking: completes on the library's executor, and its cancellation gives up. */
    <T> CompletableFuture<T> async(Function<Optional<Lease>, T> form) {
        CompletableFuture<T> given = new CompletableFuture<>();
        outcome.whenComplete((lease, failed) -> engine.callBack(() -> {
            boolean taken = failed == null ? given.complete(form.apply(lease)) : given.completeExceptionally(failed);
            if (!taken && lease != null) {
                lease.ifPresent(Lease::releaseAsync);
            }
        }));
        given.whenComplete((value, failed) -> {
            if (failed != null) {
                giveUp();
            }
        });
        return given;
    }
}
