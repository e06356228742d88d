package io.fencedlock;

import static io.fencedlock.ScriptedBackend.after;
import static io.fencedlock.ScriptedBackend.lost;
import static io.fencedlock.ScriptedBackend.silence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the engine makes of lost, late and failing answers. */
class EngineFaultTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(clock, 0);
    private final ScriptedBackend backend = new ScriptedBackend(store);
    private final FencedLocks locks = FencedLocks.configure().connect(backend, clock);
    private final FencedLock lock = locks.get("a");

    @AfterEach
    void close() {
        locks.close();
    }

    private static BackendUnavailableException away() {
        return new BackendUnavailableException("nothing listens", null);
    }

    @Test
    void acquire_replyLost_asksAgainWithTheSameHolder() {
        backend.script.add(lost());
        CompletableFuture<Optional<Lease>> acquired = lock.tryAcquireAsync(Duration.ofSeconds(5));
        clock.advance(Duration.ofSeconds(1));
        Lease lease = acquired.join().orElseThrow();
        assertThat(lease.token()).as("the same grant").isEqualTo(1);
        assertThat(backend.calls.get(1)).isEqualTo(backend.calls.get(0));
    }

    @Test
    void tryAcquire_replyLost_isUnknownAndUndone() throws InterruptedException {
        backend.script.add(lost());
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(OutcomeUnknownException.class);
        assertThat(locks.inspect("a")).isEmpty();
    }

    @Test
    void undo_isRepeatedUntilTheBackendConfirms() throws InterruptedException {
        backend.script.add(lost());
        backend.script.add(answer -> CompletableFuture.failedFuture(away()));
        backend.script.add(silence());
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(OutcomeUnknownException.class);
        clock.advance(TIMEOUT.multipliedBy(3));
        assertThat(backend.calls.stream().filter(c -> c.startsWith("abandon"))).hasSize(3);
        assertThat(locks.inspect("a")).isEmpty();
    }

    @Test
    void tryAcquire_noAnswer_isUnknownAfterTheCommandTimeout() {
        backend.script.add(silence());
        CompletableFuture<Optional<Lease>> waiting = lock.tryAcquireAsync(Duration.ofMillis(200));
        clock.advance(Duration.ofMillis(900));
        assertThat(waiting).isNotDone();
        clock.advance(Duration.ofMillis(200));
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void tryAcquire_unavailable_isToldFromHeld() {
        backend.script.add(answer -> CompletableFuture.failedFuture(away()));
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessage("nothing listens");
    }

    @Test
    void tryAcquire_unavailableForAWhile_getsTheLock() {
        for (int i = 0; i < 3; i++) {
            backend.script.add(answer -> CompletableFuture.failedFuture(away()));
        }
        CompletableFuture<Optional<Lease>> waiting = lock.tryAcquireAsync(Duration.ofSeconds(2));
        clock.advance(Duration.ofSeconds(1));
        assertThat(waiting.join()).isPresent();
    }

    @Test
    void acquire_unavailableForALeaseTime_gives_up() {
        for (int i = 0; i < 100; i++) {
            backend.script.add(answer -> CompletableFuture.failedFuture(away()));
        }
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        clock.advance(Duration.ofSeconds(14));
        assertThat(waiting).isNotDone();
        clock.advance(Duration.ofSeconds(2));
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void backendThatThrows_isUnknown() {
        backend.script.add(answer -> {
            throw new IllegalArgumentException("bug");
        });
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("bug");
    }

    @Test
    void cancelled_withTheRequestOnItsWay_isUndoneWhenTheGrantArrives() throws InterruptedException {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        backend.script.add(after(gate));
        CompletableFuture<Optional<Lease>> waiting = lock.tryAcquireAsync(Duration.ofSeconds(5));
        waiting.cancel(true);
        gate.complete(null);
        assertThat(locks.inspect("a")).isEmpty();
        assertThat(backend.calls.stream().filter(c -> c.startsWith("abandon"))).hasSize(2);
    }

    @Test
    void grantAfterItsLeaseTime_isAskedForAgain() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        backend.script.add(after(gate));
        CompletableFuture<Optional<Lease>> waiting = lock.tryAcquireAsync(Duration.ofMinutes(1));
        clock.jump(Duration.ofSeconds(16));
        gate.complete(null);
        clock.advance(Duration.ofSeconds(1));
        assertThat(waiting.join().orElseThrow().isValid()).isTrue();
    }

    @Test
    void renewal_transientErrors_areNoLossBeforeTheDeadline() throws InterruptedException {
        Lease lease = lock.acquire();
        for (int i = 0; i < 5; i++) {
            backend.script.add(answer -> CompletableFuture.failedFuture(away()));
        }
        clock.advance(Duration.ofSeconds(14));
        assertThat(lease.isValid()).isTrue();
        clock.advance(Duration.ofSeconds(60));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void renewal_backendAway_isLostAtTheDeadlineNotLater() throws InterruptedException {
        Lease lease = lock.acquire();
        for (int i = 0; i < 100; i++) {
            backend.script.add(answer -> CompletableFuture.failedFuture(away()));
        }
        clock.advance(Duration.ofSeconds(15));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lost().toCompletableFuture().join()).isEqualTo(LossReason.EXPIRED);
    }

    @Test
    void release_replyLost_isUnknownAndRepeatedInTheBackground() throws InterruptedException {
        Lease lease = lock.acquire();
        backend.script.add(answer -> CompletableFuture.failedFuture(away()));
        assertThat(lease.release()).isEqualTo(Release.UNKNOWN);
        clock.advance(Duration.ofSeconds(1));
        assertThat(locks.inspect("a")).isEmpty();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void release_noRenewalIsSentAfterIt() throws InterruptedException {
        Lease lease = lock.acquire();
        lease.release();
        int calls = backend.calls.size();
        clock.advance(Duration.ofMinutes(5));
        assertThat(backend.calls).hasSize(calls);
        assertThat(clock.pending()).as("timers left behind").isZero();
    }

    @Test
    void onLost_sleepingCallbackDelaysNoRenewal() throws InterruptedException {
        Lease dropped = lock.acquire();
        Lease kept = locks.get("b").acquire();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<String> entered = new CompletableFuture<>();
        dropped.onLost(reason -> {
            entered.complete(Thread.currentThread().getName());
            gate.join();
        });
        store.expireNow("a");
        clock.advance(Duration.ofSeconds(6));
        assertThat(entered.join()).isEqualTo("fencedlock-callback");
        clock.advance(Duration.ofMinutes(2));
        assertThat(kept.isValid()).isTrue();
        gate.complete(null);
    }

    @Test
    void session_endsTheLeaseByItsOwnTimeAndSignal() throws InterruptedException {
        CompletableFuture<LossReason> signal = new CompletableFuture<>();
        AtomicLong validUntil =
                new AtomicLong(clock.nanos() + Duration.ofSeconds(10).toNanos());
        onSession(signal, validUntil::get);
        Lease lease = lock.acquire();
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(10));
        validUntil.addAndGet(Duration.ofSeconds(5).toNanos());
        clock.advance(Duration.ofSeconds(12));
        assertThat(lease.isValid()).as("kept alive by the backend").isTrue();
        signal.complete(LossReason.SESSION_ENDED);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lost().toCompletableFuture().join()).isEqualTo(LossReason.SESSION_ENDED);
    }

    @Test
    void session_withoutRenewal_endsAtTheTimeAskedForAndIsGivenBack() throws InterruptedException {
        onSession(
                new CompletableFuture<>(),
                () -> clock.nanos() + Duration.ofMinutes(1).toNanos());
        Lease lease = locks.get("a", locks.options().withoutRenewal()).acquire();
        clock.advance(Duration.ofSeconds(14));
        lease.renew();
        clock.advance(Duration.ofSeconds(14));
        assertThat(lease.isValid()).isTrue();
        clock.advance(Duration.ofSeconds(1));
        assertThat(lease.lost().toCompletableFuture().join()).isEqualTo(LossReason.EXPIRED);
        assertThat(backend.calls).last().isEqualTo("release");
    }

    @Test
    void oneLeaseThatCannotBeLookedAfter_endsNoOther() throws InterruptedException {
        AtomicBoolean broken = new AtomicBoolean();
        onSession(new CompletableFuture<>(), () -> {
            if (broken.get()) {
                throw new IllegalStateException("bug");
            }
            return clock.nanos() + 1_000_000_000L;
        });
        lock.acquire();
        Lease healthy = locks.get("b").acquire();
        broken.set(true);
        clock.advance(Duration.ofMinutes(2));
        assertThat(healthy.isValid()).isTrue();
    }

    /** The next grant lives on a session. */
    private void onSession(CompletableFuture<LossReason> signal, LongSupplier validUntil) {
        Liveness.Session session = new Liveness.Session() {
            @Override
            public long validUntilNanos() {
                return validUntil.getAsLong();
            }

            @Override
            public Duration timeout() {
                return Duration.ofSeconds(10);
            }

            @Override
            public CompletionStage<LossReason> lost() {
                return signal;
            }
        };
        backend.script.add(answer ->
                answer.thenApply(attempt -> new Attempt.Granted(((Attempt.Granted) attempt).grant(), session)));
    }

    @Test
    void close_backendSilent_isBounded() throws InterruptedException {
        lock.acquire();
        backend.script.add(silence());
        CompletableFuture<Void> closed = CompletableFuture.runAsync(locks::close);
        await().atMost(Duration.ofSeconds(5)).until(closed::isDone);
    }
}
