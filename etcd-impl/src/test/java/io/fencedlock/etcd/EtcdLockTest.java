package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderInfo;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user sees of locks on a healthy server, and what is left there. */
@SuppressWarnings("try") // some leases are only held
class EtcdLockTest {

    @RegisterExtension
    static final Rig RIG = Rig.shared();

    private FencedLocks locks;

    @BeforeEach
    void connect() {
        locks = client();
    }

    @AfterEach
    void disconnect() {
        locks.close();
    }

    private static FencedLocks client(String... options) {
        return RIG.connect(RIG.server().url(), "lease=15s&command-timeout=5s" + String.join("", options));
    }

    private static List<Long> etcdLeasesSince(List<Long> before) {
        return RIG.probe().etcdLeases().stream()
                .filter(id -> !before.contains(id))
                .toList();
    }

    @Test
    void tok2_laterAcquireHasGreaterToken() throws Exception {
        List<Long> tokens = new ArrayList<>();
        try (FencedLocks other = client()) {
            for (int i = 0; i < 10; i++) {
                try (Lease lease = (i % 2 == 0 ? locks : other).get("a").acquire()) {
                    tokens.add(lease.token());
                }
            }
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates().allMatch(token -> token > 1_700_000_000_000_000L);
    }

    @Test
    void tokensOfRevision_areEtcdsCreateRevisions() throws Exception {
        try (FencedLocks textbook = client("&tokens=revision");
                Lease lease = textbook.get("a").acquire()) {
            assertThat(lease.token()).isEqualTo(RIG.probe().revision());
            assertThat(textbook.profile().disclaims()).containsOnlyKeys("FLT-9", "TOK-9");
            assertThatThrownBy(() -> textbook.raiseTokens(5))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("tokens=revision");
        }
    }

    @Test
    void acquireAndRelease_costOneRequestEach() throws Exception {
        locks.get("warm").acquire().close();
        long before = RIG.probe().revision();

        locks.get("a").acquire().close();

        assertThat(RIG.probe().revision() - before).isEqualTo(2);
    }

    @Test
    void triedWhileHeld_writesNothing() throws Exception {
        try (FencedLocks other = client();
                Lease held = locks.get("a").acquire()) {
            other.get("warm").acquire().close();
            long before = RIG.probe().revision();

            assertThat(other.get("a").tryAcquire()).isEmpty();

            assertThat(RIG.probe().revision()).isEqualTo(before);
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void wai2_waiterThatGaveUpLeavesNothing() throws Exception {
        try (FencedLocks other = client()) {
            Lease held = locks.get("a").acquire();

            assertThat(other.get("a").tryAcquire(Duration.ofMillis(200))).isEmpty();
            RIG.entriesBecome(1);

            held.close();
            try (Lease next = other.get("a").tryAcquire().orElseThrow()) {
                assertThat(next.token()).isGreaterThan(held.token());
            }
        }
    }

    @Test
    void wai2_cancelledWaiterNeverAcquires() throws Exception {
        Lease held = locks.get("a").acquire();
        CompletableFuture<Lease> waiting = locks.get("a").acquireAsync();
        RIG.entriesBecome(2);

        waiting.cancel(true);

        RIG.entriesBecome(1);
        held.close();
        assertThat(RIG.entries()).isEmpty();
    }

    @Test
    void wai3_releaseWakesTheWaiterOfAnotherClientAtOnce() throws Exception {
        try (FencedLocks other = client()) {
            long quickest = Long.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                Lease held = locks.get("a").acquire();
                CompletableFuture<Lease> waiting = other.get("a").acquireAsync();
                RIG.entriesBecome(2);
                long began = System.nanoTime();

                held.close();

                waiting.get(20, TimeUnit.SECONDS).close();
                quickest = Math.min(quickest, System.nanoTime() - began);
            }
            assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofMillis(500));
        }
    }

    @Test
    void wai5_waitersAreServedInTheOrderOfArrival() throws Exception {
        List<FencedLocks> clients = new ArrayList<>();
        List<Integer> served = new ArrayList<>();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        Lease held = locks.get("a").acquire();
        for (int i = 0; i < 5; i++) {
            int number = i;
            FencedLocks client = client();
            clients.add(client);
            all.add(client.get("a").acquireAsync().thenAccept(lease -> {
                served.add(number);
                lease.close();
            }));
            int expected = i + 2;
            RIG.entriesBecome(expected);
        }

        held.close();

        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        assertThat(served).containsExactly(0, 1, 2, 3, 4);
        clients.forEach(FencedLocks::close);
    }

    @Test
    void exc1_threadsOfOneClientExcludeEachOther() throws Exception {
        int threads = 8;
        int rounds = 50;
        int[] counter = {0};
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(CompletableFuture.runAsync(
                    () -> {
                        for (int j = 0; j < rounds; j++) {
                            try (Lease lease = locks.get("counter").acquire()) {
                                int read = counter[0];
                                Thread.yield();
                                counter[0] = read + 1;
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

        assertThat(counter[0]).isEqualTo(threads * rounds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b/c", "a:b", "{a}b", ".", "..", "%2F", "a/b%", "ünï/✓", "😀", "locks", "base"})
    void exc2_namesDoNotInterfere(String other) throws Exception {
        try (Lease held = locks.get("a/b").acquire()) {
            try (Lease free = locks.get(other).tryAcquire().orElseThrow()) {
                assertThat(free.isValid()).isTrue();
            }
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void exc2_theLongestNameFits() throws Exception {
        String longest = "✓".repeat(170) + "aa";
        try (Lease lease = locks.get(longest).acquire()) {
            assertThat(locks.inspect(longest)).isPresent();
        }
    }

    @Test
    void inspect_tellsHolderTokenAndWaiters() throws Exception {
        assertThat(locks.inspect("a")).isEmpty();
        try (Lease held = locks.get("a").acquire()) {
            CompletableFuture<Lease> waiting = locks.get("a").acquireAsync();
            await().untilAsserted(() ->
                    assertThat(locks.inspect("a").orElseThrow().waiters()).hasValue(1));

            HolderInfo info = locks.inspect("a").orElseThrow();
            assertThat(info.token()).isEqualTo(held.token());
            assertThat(info.holder()).isEqualTo(held.grant().holder());
            assertThat(info.pid()).hasValue(ProcessHandle.current().pid());
            assertThat(info.host()).isPresent();
            assertThat(info.since()).isPresent();
            assertThat(info.remaining().orElseThrow()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(15));
            waiting.cancel(true);
        }
    }

    @Test
    void forceRelease_endsThatVeryAcquisitionOnly() throws Exception {
        Lease held = locks.get("a").acquire();

        assertThat(locks.forceRelease("a", held.token() + 1)).isEqualTo(Release.NOT_HELD);
        assertThat(locks.forceRelease("a", held.token())).isEqualTo(Release.RELEASED);

        try (Lease next = locks.get("a").tryAcquire().orElseThrow()) {
            assertThat(held.release()).isIn(Release.NOT_HELD);
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    void raisedTokens_areAboveTheFloorAndOldOnesAreStillKnown() throws Exception {
        Lease held = locks.get("a").acquire();
        long floor = held.token() + 1_000_000_000L;

        locks.raiseTokens(floor);
        locks.raiseTokens(floor - 1);

        assertThat(locks.inspect("a").orElseThrow().token()).isEqualTo(held.token());
        try (Lease other = locks.get("b").acquire()) {
            assertThat(other.token()).isGreaterThan(floor);
        }
        CompletableFuture<Lease> waiting = locks.get("a").acquireAsync();
        held.close();
        try (Lease next = waiting.get(20, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(floor);
            assertThat(locks.inspect("a").orElseThrow().token()).isEqualTo(next.token());
        }
    }

    @Test
    void inspectAndForceRelease_knowTheTokenThoughTheBaseWasRaisedOftenAndItsHistoryIsGone() throws Exception {
        Lease held = locks.get("a").acquire();
        for (int i = 1; i <= 70; i++) {
            locks.raiseTokens(held.token() + i * 1_000_000_000L);
        }
        RIG.probe().compact();

        assertThat(locks.inspect("a").orElseThrow().token()).isEqualTo(held.token());
        assertThat(locks.forceRelease("a", held.token())).isEqualTo(Release.RELEASED);
    }

    @Test
    void tok9_everyClientNoticesARaiseThatAnotherOneMade() throws Exception {
        try (FencedLocks other = client()) {
            long before = other.get("a").acquire().token();
            CompletableFuture<Lease> waiting = other.get("a").acquireAsync();
            RIG.entriesBecome(2);
            long floor = before + 1_000_000_000L;
            locks.raiseTokens(floor);

            try (Lease tried = other.get("b").tryAcquire().orElseThrow()) {
                assertThat(tried.token()).isGreaterThan(floor);
            }
            locks.forceRelease("a", before);
            try (Lease waited = waiting.get(20, TimeUnit.SECONDS)) {
                assertThat(waited.token()).isGreaterThan(floor);
                assertThat(locks.inspect("a").orElseThrow().token()).isEqualTo(waited.token());
            }
        }
    }

    @Test
    void baseThatIsNoNumber_isNamedAndNothingIsGranted() throws Exception {
        RIG.probe().put(RIG.prefix() + "/base", "a3f secret");
        try (FencedLocks fresh = client()) {
            assertThatThrownBy(() -> fresh.get("a").tryAcquire())
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining(RIG.prefix() + "/base")
                    .hasMessageNotContaining("secret");
        }
        RIG.probe().delete(RIG.prefix() + "/base");
    }

    @Test
    void tok6_baseThatWasDeletedIsMadeAgainAboveTheOldTokens() throws Exception {
        Lease before = locks.get("a").acquire();
        before.close();

        RIG.probe().delete(RIG.prefix() + "/base");

        try (Lease after = locks.get("a").acquire()) {
            assertThat(after.token()).isGreaterThan(before.token());
        }
    }

    @Test
    void rel1_lateReleaseTouchesNobody() throws Exception {
        Lease first = locks.get("a").acquire();
        RIG.probe().delete(RIG.entries().get(0));
        try (Lease second = locks.get("a").acquire()) {
            assertThat(first.release()).isEqualTo(Release.NOT_HELD);
            assertThat(second.isValid()).isTrue();
            assertThat(RIG.entries()).hasSize(1);
        }
    }

    @Test
    void cli2_aThousandLocksLeaveOneEtcdLeaseAndNoKeys() throws Exception {
        List<Long> before = RIG.probe().etcdLeases();
        for (int batch = 0; batch < 10; batch++) {
            List<CompletableFuture<Release>> cycles = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                cycles.add(locks.get("n" + batch + "-" + i).acquireAsync().thenCompose(Lease::releaseAsync));
            }
            for (CompletableFuture<Release> cycle : cycles) {
                assertThat(cycle.get(20, TimeUnit.SECONDS)).isEqualTo(Release.RELEASED);
            }
        }
        FencedLock busy = locks.get("busy");
        try (Lease held = busy.acquire()) {
            for (int i = 0; i < 200; i++) {
                assertThat(busy.tryAcquire()).isEmpty();
            }
        }

        assertThat(RIG.probe().keys(RIG.prefix())).containsExactly(RIG.prefix() + "/base");
        assertThat(etcdLeasesSince(before)).hasSize(1);
        locks.close();
        await().untilAsserted(() -> assertThat(etcdLeasesSince(before)).isEmpty());
    }

    @Test
    void etcdLeasePerLock_hasTheLocksOwnTimeAndGoesWithIt() throws Exception {
        List<Long> before = RIG.probe().etcdLeases();
        try (FencedLocks own = client("&etcd-lease=lock")) {
            Lease lease = own.get("a").acquire();
            Optional<Lease> none = own.get("a").tryAcquire();

            assertThat(none).isEmpty();
            assertThat(lease.grant().leaseTime()).isEqualTo(Duration.ofSeconds(15));
            assertThat(etcdLeasesSince(before)).hasSize(1);
            assertThat(lease.release()).isEqualTo(Release.RELEASED);
            await().untilAsserted(() -> assertThat(etcdLeasesSince(before)).isEmpty());
        }
    }
}
