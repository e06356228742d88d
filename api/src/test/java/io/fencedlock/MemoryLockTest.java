package io.fencedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lock as a user sees it, on the in-memory store with a clock that the test moves. */
class MemoryLockTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore(clock, 0);
    private final FencedLocks locks = store.connect();
    private final FencedLocks others = store.connect();
    private final FencedLock lock = locks.get("invoice-1041");
    private final FencedLock same = others.get("invoice-1041");

    @AfterEach
    void close() {
        locks.close();
        others.close();
    }

    @Test
    void tokens_growByOneAcquisition() throws InterruptedException {
        Lease first = lock.acquire();
        assertThat(first.token()).isEqualTo(1);
        assertThat(first.release()).isEqualTo(Release.RELEASED);
        Lease second = same.acquire();
        assertThat(second.token()).isEqualTo(2);
        assertThat(first.token()).isEqualTo(1);
    }

    @Test
    void tryAcquire_held_isEmptyAndLeavesNobodyInTheQueue() throws InterruptedException {
        Lease held = lock.acquire();
        assertThat(same.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire()).as("not re-entrant").isEmpty();
        assertThat(locks.inspect("invoice-1041").orElseThrow().waiters()).hasValue(0);
        held.close();
        assertThat(same.tryAcquire()).isPresent();
    }

    @Test
    void tryAcquire_deadline_isEmptyAtTheDeadlineAndLeavesNobody() throws InterruptedException {
        Lease held = lock.acquire();
        CompletableFuture<Optional<Lease>> waiting = same.tryAcquireAsync(Duration.ofSeconds(3));
        clock.advance(Duration.ofMillis(2999));
        assertThat(waiting).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThat(waiting.join()).isEmpty();
        held.close();
        assertThat(locks.inspect("invoice-1041")).isEmpty();
    }

    @Test
    void release_wakesTheFirstWaiterWithoutPolling() throws InterruptedException {
        Lease held = lock.acquire();
        CompletableFuture<Lease> first = same.acquireAsync();
        CompletableFuture<Lease> second = lock.acquireAsync();
        held.close();
        assertThat(first.join().token()).isEqualTo(2);
        assertThat(second).isNotDone();
        first.join().close();
        assertThat(second.join().token()).isEqualTo(3);
    }

    @Test
    void renewal_keepsTheLeaseOverManyLeaseTimes() throws InterruptedException {
        Lease lease = lock.acquire();
        for (int i = 0; i < 100; i++) {
            clock.advance(LEASE.dividedBy(2));
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(same.tryAcquire()).isEmpty();
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
    }

    @Test
    void withoutRenewal_endsAtItsTimeAndTellsOnce() throws InterruptedException {
        Lease lease = locks.get("a", locks.options().withoutRenewal()).acquire();
        List<LossReason> told = new ArrayList<>();
        lease.onLost(told::add);
        clock.advance(LEASE.minusNanos(1));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        clock.advance(Duration.ofNanos(1));
        assertThat(lease.isValid()).isFalse();
        await().until(() -> !told.isEmpty());
        clock.advance(LEASE);
        assertThat(told).containsExactly(LossReason.EXPIRED);
        assertThat(lease.release()).isEqualTo(Release.NOT_HELD);
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOfSatisfying(
                        LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(LossReason.EXPIRED));
        assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
        assertThat(others.get("a").tryAcquire()).isPresent();
    }

    @Test
    void explicitRenewal_startsTheTimeAnew() throws InterruptedException {
        Lease lease = locks.get("a", locks.options().withoutRenewal()).acquire();
        clock.advance(Duration.ofSeconds(10));
        lease.renew();
        assertThat(lease.remaining()).isEqualTo(LEASE);
        clock.advance(Duration.ofSeconds(10));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.token()).isEqualTo(1);
    }

    @Test
    void pausedHolder_isInvalidBeforeAnyTimerRan() throws InterruptedException {
        Lease paused = lock.acquire();
        clock.jump(LEASE.plusSeconds(1));
        assertThat(paused.isValid()).isFalse();
        Lease next = same.tryAcquire().orElseThrow();
        assertThat(next.token()).isGreaterThan(paused.token());
        assertThat(paused.release()).isEqualTo(Release.NOT_HELD);
        assertThat(next.isValid()).isTrue();
        assertThat(lock.tryAcquire()).isEmpty();
    }

    @Test
    void droppedEntry_isToldAtTheNextRenewal() throws InterruptedException {
        Lease lease = lock.acquire();
        AtomicReference<LossReason> told = new AtomicReference<>();
        lease.onLost(told::set);
        assertThat(store.expireNow("invoice-1041")).isTrue();
        clock.advance(LEASE.dividedBy(3).plusMillis(300));
        await().until(() -> told.get() == LossReason.NOT_HELD);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void maxHold_endsARenewedLease() throws InterruptedException {
        Lease lease = locks.get("a", locks.options().withMaxHold(Duration.ofMinutes(1)))
                .acquire();
        clock.advance(Duration.ofSeconds(59));
        assertThat(lease.isValid()).isTrue();
        clock.advance(Duration.ofSeconds(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lost().toCompletableFuture().join()).isEqualTo(LossReason.MAX_HOLD);
        assertThat(others.get("a").tryAcquire()).isPresent();
    }

    @Test
    void doubt_makesTheLeaseInvalidUntilARenewalSentAfterIt() throws InterruptedException {
        Lease lease = lock.acquire();
        clock.doubt();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
        clock.advance(Duration.ofMillis(250));
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void release_interrupted_worksAndKeepsTheFlag() throws InterruptedException {
        Lease lease = lock.acquire();
        Thread.currentThread().interrupt();
        Release found = lease.release();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(found).isEqualTo(Release.RELEASED);
        assertThat(lease.release()).isEqualTo(Release.RELEASED);
        assertThatThrownBy(lease::ensureValid).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void acquire_interrupted_leavesNothing() throws Exception {
        Lease held = lock.acquire();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                same.acquire();
            } catch (InterruptedException e) {
                thrown.complete(e);
            }
        });
        waiter.start();
        await().until(() ->
                locks.inspect("invoice-1041").orElseThrow().waiters().orElseThrow() == 1);
        waiter.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        await().until(() ->
                locks.inspect("invoice-1041").orElseThrow().waiters().orElseThrow() == 0);
        held.close();
        clock.advance(LEASE);
        assertThat(locks.inspect("invoice-1041")).isEmpty();
    }

    @Test
    void cancel_givesUp() throws InterruptedException {
        Lease held = lock.acquire();
        CompletableFuture<Lease> waiting = same.acquireAsync();
        waiting.cancel(false);
        held.close();
        assertThat(locks.inspect("invoice-1041")).isEmpty();
        assertThat(lock.tryAcquire().orElseThrow().token()).isEqualTo(2);
    }

    @Test
    void close_failsPendingCallsAndGivesBackHeldLocks() throws InterruptedException {
        Lease held = others.get("b").acquire();
        Lease mine = lock.acquire();
        CompletableFuture<Lease> waiting = locks.get("b").acquireAsync();
        locks.close();
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(others.inspect("invoice-1041")).isEmpty();
        assertThat(others.inspect("b").orElseThrow().waiters()).hasValue(0);
        assertThat(mine.isValid()).isFalse();
        assertThat(held.isValid()).isTrue();
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(IllegalStateException.class);
        assertThat(clock.pending()).as("only the other client's pulse").isLessThanOrEqualTo(2);
    }

    @Test
    void forceRelease_removesOnlyTheObservedToken() throws InterruptedException {
        Lease held = lock.acquire();
        assertThat(others.forceRelease("invoice-1041", held.token() + 1)).isEqualTo(Release.NOT_HELD);
        assertThat(others.forceRelease("invoice-1041", held.token())).isEqualTo(Release.RELEASED);
        assertThat(same.tryAcquire()).isPresent();
    }

    @Test
    void raiseTokens_makesTheNextOneLarger() throws InterruptedException {
        locks.raiseTokens(1L << 53);
        assertThat(lock.acquire().token()).isEqualTo((1L << 53) + 1);
        locks.raiseTokens(7);
        assertThat(locks.get("b").acquire().token()).isEqualTo((1L << 53) + 2);
    }

    @Test
    void raiseTokens_beyondTheEnd_isRefused() {
        assertThatThrownBy(() -> locks.raiseTokens(Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found 9223372036854775807");
        assertThatThrownBy(() -> locks.raiseTokens(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void leaseBelowTheSmallest_isRefusedWithBothNumbers() {
        assertThatThrownBy(() -> locks.get("a", locks.options().withLease(Duration.ofNanos(5))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1 ms");
    }

    @Test
    void realClock_blockingWaitIsHandedOver() throws Exception {
        try (FencedLocks real = FencedLocks.connect("memory:?lease=1s")) {
            Lease held = real.get("a").acquire();
            CompletableFuture<Lease> waiting = real.get("a").acquireAsync();
            held.close();
            assertThat(waiting.get().token()).isGreaterThan(held.token());
            assertThat(waiting.get().token())
                    .as("one token space: µs of the wall clock")
                    .isGreaterThan(1L << 50);
        }
    }
}
