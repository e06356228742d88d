package io.fencedlock;

import static io.fencedlock.ScriptedBackend.after;
import static io.fencedlock.ScriptedBackend.silence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More acquisitions at once than a store answers in time. */
class EngineBurstTest {

    private static final int MOST = LockEngine.MOST_ASKING;

    private final ManualClock clock = new ManualClock();
    private final ScriptedBackend backend = new ScriptedBackend(new MemoryStore(clock, 0));
    private final FencedLocks locks = FencedLocks.configure().connect(backend, clock);
    private final CompletableFuture<Void> gate = new CompletableFuture<>();

    @AfterEach
    void close() {
        locks.close();
    }

    private List<CompletableFuture<Optional<Lease>>> start(int count, Duration wait) {
        List<CompletableFuture<Optional<Lease>>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(locks.get("burst-" + i).tryAcquireAsync(wait));
        }
        return all;
    }

    private static void awaitAll(List<? extends CompletableFuture<?>> all) throws Exception {
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .exceptionally(failed -> null)
                .get(10, TimeUnit.SECONDS);
    }

    @Test
    void onlySoManyAskAtATime_andAllAreGranted() throws Exception {
        for (int i = 0; i < MOST; i++) {
            backend.script.add(after(gate));
        }
        List<CompletableFuture<Optional<Lease>>> all = start(2 * MOST, Duration.ofSeconds(30));

        assertThat(backend.calls).hasSize(MOST);
        gate.complete(null);

        awaitAll(all);
        assertThat(backend.calls).hasSize(2 * MOST);
        assertThat(all).allMatch(one -> one.join().isPresent());
    }

    @Test
    void whoWaitsForATurnEndsInTime_andHasAskedNothing() throws Exception {
        for (int i = 0; i < MOST; i++) {
            backend.script.add(silence());
        }
        start(MOST, Duration.ofSeconds(30));
        CompletableFuture<Optional<Lease>> late = locks.get("late").tryAcquireAsync(Duration.ofMillis(500));

        clock.advance(Duration.ofMillis(400));
        assertThat(late).isNotDone();
        clock.advance(Duration.ofMillis(200));

        assertThatThrownBy(() -> late.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("was not sent in its time: 512 others");
        assertThat(backend.calls).hasSize(MOST);
        clock.advance(Duration.ofSeconds(1)); // the silent ones have had their time, and turns are free again
        assertThat(locks.get("late").tryAcquire()).isPresent();
    }

    @Test
    void asksThatFailAtOnceDoNotPileUpOnTheStack() throws Exception {
        for (int i = 0; i < MOST; i++) {
            backend.script.add(after(gate));
        }
        List<CompletableFuture<Optional<Lease>>> all = new ArrayList<>(start(MOST, Duration.ZERO));
        for (int i = 0; i < 20_000; i++) {
            backend.script.add(answer -> CompletableFuture.failedFuture(new BackendUnavailableException("away", null)));
        }
        all.addAll(start(20_000, Duration.ZERO));

        gate.complete(null);

        awaitAll(all);
        assertThat(all).allMatch(CompletableFuture::isDone);
        assertThat(all.get(all.size() - 1)).isCompletedExceptionally();
    }
}
