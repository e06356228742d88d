package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.LEASE;
import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.ask;
import static io.fencedlock.redis.Kit.askWaiting;
import static io.fencedlock.redis.Kit.get;
import static io.fencedlock.redis.Kit.granted;
import static io.fencedlock.redis.Kit.held;
import static io.fencedlock.redis.Kit.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.Liveness;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The backend through its SPI, on a healthy server. */
class RedisBackendTest {

    private static Server server;
    private static Kit.Admin admin;

    private Kit.Opened opened;
    private FencedLockBackend backend;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
        admin = new Kit.Admin(server.url());
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    @BeforeEach
    void open() {
        admin.redis().flushall();
        opened = Kit.open(server.url());
        backend = opened.backend();
    }

    @AfterEach
    void close() {
        opened.close();
    }

    @Test
    void tok2_laterAcquireHasGreaterToken() throws Exception {
        Grant first = acquire(backend, "a");
        get(backend.release(first));
        Grant second = acquire(backend, "a");

        assertThat(first.token()).isPositive();
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    void tok8_repeatedRequestOfOneHolderYieldsTheSameGrant() throws Exception {
        HolderId holder = HolderId.random();
        Grant first = acquire(backend, "a", holder, LEASE);

        assertThat(acquire(backend, "a", holder, LEASE)).isEqualTo(first);
        assertThat(get(backend.release(first))).isEqualTo(Release.RELEASED);
        assertThat(admin.leftovers()).isEmpty();
    }

    @Test
    void tok6_tokenGrowsAlthoughTheCounterIsLost() throws Exception {
        Grant first = acquire(backend, "a");
        admin.redis().flushall();

        assertThat(acquire(backend, "a").token()).isGreaterThan(first.token());
    }

    @Test
    void tok7_tokensAreExactBeyondDoubles() throws Exception {
        long floor = (1L << 53) + 1;
        get(backend.raiseTokens(floor));

        Grant first = acquire(backend, "a");
        get(backend.release(first));
        Grant second = acquire(backend, "a");

        assertThat(List.of(first.token(), second.token())).containsExactly(floor + 1, floor + 2);
        assertThat(get(backend.inspect(new LockName("a"))).orElseThrow().token())
                .isEqualTo(floor + 2);
        assertThat(get(backend.renew(second))).isInstanceOf(Renewal.Renewed.class);
        assertThat(get(backend.release(second))).isEqualTo(Release.RELEASED);
    }

    @Test
    void raiseTokens_lowersNothing() throws Exception {
        Grant first = acquire(backend, "a");
        get(backend.release(first));
        get(backend.raiseTokens(5));

        assertThat(acquire(backend, "a").token()).isGreaterThan(first.token());
    }

    @Test
    void tokensCounter_countsFromOne() throws Exception {
        try (Kit.Opened textbook = Kit.open(server.url() + "?tokens=counter")) {
            Grant first = acquire(textbook.backend(), "a");
            get(textbook.backend().release(first));

            assertThat(first.token()).isEqualTo(1);
            assertThat(acquire(textbook.backend(), "a").token()).isEqualTo(2);
            assertThat(textbook.backend().profile().disclaims()).containsOnlyKeys("TOK-6", "FLT-9", "FLT-12");
        }
    }

    @Test
    void rel1_lateReleaseTouchesNobody() throws Exception {
        Grant old = acquire(backend, "a");
        admin.redis().del(admin.redis().keys("*lock:a").toArray(String[]::new));
        Grant present = acquire(backend, "a");

        assertThat(get(backend.release(old))).isEqualTo(Release.NOT_HELD);
        assertThat(get(backend.renew(old))).isInstanceOf(Renewal.NotHeld.class);
        assertThat(get(backend.inspect(new LockName("a"))).orElseThrow().holder())
                .isEqualTo(present.holder());
    }

    @Test
    void lea1_entryEndsAtItsTimeUnlessRenewed() throws Exception {
        Grant grant = acquire(backend, "a", HolderId.random(), Duration.ofSeconds(3));
        assertThat(get(backend.renew(grant))).isInstanceOf(Renewal.Renewed.class);

        Awaitility.await().until(() -> admin.leftovers().isEmpty());
        assertThat(get(backend.renew(grant))).isInstanceOf(Renewal.NotHeld.class);
        assertThat(admin.leftovers()).isEmpty();
    }

    @Test
    void lea3_validityIsLessThanTheKeysTime() throws Exception {
        Attempt.Granted granted = granted(get(backend.acquire(ask("a", HolderId.random(), LEASE))));

        Duration valid = ((Liveness.Timed) granted.liveness()).validFor();
        assertThat(valid).isBetween(LEASE.minusMillis(500), LEASE.minusMillis(100));
    }

    @Test
    void wai2_tryOnHeldLockLeavesNothingBehind() throws Exception {
        Grant grant = acquire(backend, "a");
        Attempt.Held held = held(get(backend.acquire(ask("a", HolderId.random(), LEASE))));

        assertThat(held.recheck()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(admin.leftovers()).singleElement().asString().endsWith("lock:a");
        assertThat(admin.redis().pubsubChannels()).isEmpty();
        get(backend.release(grant));
    }

    @Test
    void nobodyListensBeforeALockWasFoundHeld() throws Exception {
        HolderId first = HolderId.random();
        Grant grant =
                granted(get(backend.acquire(askWaiting("a", first, LEASE)))).grant();
        assertThat(admin.redis().clientList()).doesNotContain("cmd=subscribe");
        assertThat(admin.redis().pubsubChannels()).isEmpty();

        HolderId waiter = HolderId.random();
        Attempt.Held held = held(get(backend.acquire(askWaiting("a", waiter, LEASE))));
        get(held.changed()); // from here on messages are heard, so it is worth asking for a place
        assertThat(admin.redis().pubsubChannels()).hasSize(1);
        Attempt.Held queued = held(get(backend.acquire(askWaiting("a", waiter, LEASE))));

        get(backend.release(grant));
        get(queued.changed());
        assertThat(granted(get(backend.acquire(askWaiting("a", waiter, LEASE))))
                        .grant()
                        .holder())
                .isEqualTo(waiter);
    }

    @Test
    void wai3_releaseHandsOverWithoutAnotherRequest() throws Exception {
        Grant first = acquire(backend, "a");
        HolderId waiter = HolderId.random();
        Attempt.Held held = queue(backend, "a", waiter, LEASE);
        long before = admin.scripts();

        get(backend.release(first));
        get(held.changed());
        Attempt.Granted granted = granted(get(backend.acquire(askWaiting("a", waiter, LEASE))));

        assertThat(admin.scripts() - before).isEqualTo(1);
        HolderInfo info = get(backend.inspect(new LockName("a"))).orElseThrow();
        assertThat(info.holder()).isEqualTo(waiter);
        assertThat(info.token()).isEqualTo(granted.grant().token()).isGreaterThan(first.token());
        assertThat(info.waiters()).hasValue(0);
        assertThat(get(backend.release(granted.grant()))).isEqualTo(Release.RELEASED);
        assertThat(admin.leftovers()).isEmpty();
    }

    @Test
    void wai4_waiterOfAClientThatIsGoneIsSkipped() throws Exception {
        Grant first = acquire(backend, "a");
        HolderId dead = HolderId.random();
        HolderId alive = HolderId.random();
        Kit.Opened other = Kit.open(server.url());
        queue(other.backend(), "a", dead, LEASE);
        Attempt.Held held = queue(backend, "a", alive, LEASE);
        other.backend().close();
        Awaitility.await().until(() -> admin.redis().pubsubChannels().size() == 1);

        get(backend.release(first));
        get(held.changed());

        assertThat(granted(get(backend.acquire(askWaiting("a", alive, LEASE))))
                        .grant()
                        .holder())
                .isEqualTo(alive);
        other.close();
    }

    @Test
    void waitersAreServedInTheOrderOfTheirArrival() throws Exception {
        Grant present = acquire(backend, "a");
        HolderId second = HolderId.random();
        HolderId third = HolderId.random();
        Attempt.Held ofSecond = queue(backend, "a", second, LEASE);
        Attempt.Held ofThird = queue(backend, "a", third, LEASE);
        queue(backend, "a", second, LEASE);

        get(backend.release(present));
        assertThat(get(backend.inspect(new LockName("a"))).orElseThrow().holder())
                .isEqualTo(second);
        assertThat(ofThird.changed().toCompletableFuture()).isNotDone();
        assertThat(ofSecond).isNotNull();
    }

    @Test
    void wai2_abandonedWaiterNeverAcquires() throws Exception {
        Grant first = acquire(backend, "a");
        HolderId waiter = HolderId.random();
        queue(backend, "a", waiter, LEASE);

        get(backend.abandon(new LockName("a"), waiter));
        get(backend.release(first));

        assertThat(get(backend.inspect(new LockName("a")))).isEmpty();
        assertThat(admin.leftovers()).isEmpty();
    }

    @Test
    void abandon_ofAHolderPassesTheLockOn() throws Exception {
        HolderId first = HolderId.random();
        acquire(backend, "a", first, LEASE);
        HolderId waiter = HolderId.random();
        Attempt.Held held = queue(backend, "a", waiter, LEASE);

        get(backend.abandon(new LockName("a"), first));
        get(held.changed());

        assertThat(granted(get(backend.acquire(askWaiting("a", waiter, LEASE))))
                        .grant()
                        .holder())
                .isEqualTo(waiter);
    }

    @Test
    void abandon_ofAnUnknownHolderDoesNothing() throws Exception {
        Grant grant = acquire(backend, "a");
        get(backend.abandon(new LockName("a"), HolderId.random()));

        assertThat(get(backend.inspect(new LockName("a"))).orElseThrow().token())
                .isEqualTo(grant.token());
        assertThat(admin.leftovers()).hasSize(1);
    }

    @Test
    void abandon_beforeTheRequestGoesOutStopsIt() throws Exception {
        HolderId holder = HolderId.random();
        CompletableFuture<Attempt> attempt =
                backend.acquire(ask("a", holder, LEASE)).toCompletableFuture();
        get(backend.abandon(new LockName("a"), holder));

        Boolean answered = get(attempt.handle((answer, failed) -> true));
        assertThat(answered).isTrue();
        assertThat(get(backend.inspect(new LockName("a")))).isEmpty();
        assertThat(admin.leftovers()).isEmpty();
    }

    @Test
    void forceRelease_endsTheObservedAcquisitionOnly() throws Exception {
        Grant grant = acquire(backend, "a");
        LockName name = new LockName("a");

        assertThat(get(backend.forceRelease(name, grant.token() - 1))).isEqualTo(Release.NOT_HELD);
        assertThat(get(backend.forceRelease(name, grant.token()))).isEqualTo(Release.RELEASED);
        assertThat(get(backend.inspect(name))).isEmpty();
    }

    @Test
    void inspect_tellsHolderHostAndPid() throws Exception {
        Instant before = Instant.now().minusSeconds(1);
        Grant grant = acquire(backend, "a");
        HolderInfo info = get(backend.inspect(new LockName("a"))).orElseThrow();

        assertThat(info.holder()).isEqualTo(grant.holder());
        assertThat(info.token()).isEqualTo(grant.token());
        assertThat(info.pid()).hasValue(ProcessHandle.current().pid());
        assertThat(info.host()).isPresent();
        assertThat(info.since().orElseThrow()).isBetween(before, Instant.now().plusSeconds(1));
        assertThat(info.remaining().orElseThrow()).isBetween(Duration.ofSeconds(10), LEASE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a:b", "{a}b", "}{", "{}", ".", "..", "a b", "naïve-名前-🔒", "*", "lock:a"})
    void exc2_namesNeverInterfere(String name) throws Exception {
        Grant grant = acquire(backend, name);
        Grant other = acquire(backend, name + "x");
        get(backend.release(other));

        assertThat(get(backend.inspect(new LockName(name))).orElseThrow().holder())
                .isEqualTo(grant.holder());
        assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
    }

    @Test
    void exc2_longestNameWorks() throws Exception {
        String name = "é".repeat(LockName.MAX_BYTES / 2);
        assertThat(get(backend.release(acquire(backend, name)))).isEqualTo(Release.RELEASED);
    }

    @Test
    void uncontendedCycleTakesTwoCommands() throws Exception {
        get(backend.release(acquire(backend, "warm")));
        long evalsha = admin.calls("evalsha");
        long eval = admin.calls("eval");
        for (int i = 0; i < 100; i++) {
            get(backend.release(acquire(backend, "a" + i % 2)));
        }

        assertThat(admin.calls("evalsha") - evalsha).isEqualTo(200);
        assertThat(admin.calls("eval") - eval).isZero();
    }

    @Test
    void cli2_nothingStaysPerName() throws Exception {
        for (int batch = 0; batch < 20; batch++) {
            List<CompletableFuture<Release>> cycles = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                cycles.add(backend.acquire(ask("name-" + batch + "-" + i, HolderId.random(), LEASE))
                        .thenCompose(attempt -> backend.release(granted(attempt).grant()))
                        .toCompletableFuture());
            }
            for (CompletableFuture<Release> cycle : cycles) {
                assertThat(get(cycle)).isEqualTo(Release.RELEASED);
            }
        }

        assertThat(admin.leftovers()).isEmpty();
        assertThat(admin.redis().dbsize()).isLessThanOrEqualTo(RedisKeys.STRIPES);
    }

    @Test
    void scriptsSurviveAFlushOfTheCache() throws Exception {
        for (int i = 0; i < 50; i++) {
            admin.redis().scriptFlush();
            Grant grant = acquire(backend, "a");
            admin.redis().scriptFlush();
            assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
        }
        assertThat(admin.leftovers()).isEmpty();
    }

    @Test
    void rel3_renewReleaseAndAbandonWorkWithoutMemory() throws Exception {
        Grant grant = acquire(backend, "a");
        HolderId waiter = HolderId.random();
        Attempt.Held held = queue(backend, "a", waiter, LEASE);
        HolderId other = HolderId.random();
        acquire(backend, "b", other, LEASE);
        admin.redis().configSet("maxmemory", "1");
        try {
            assertThatThrownBy(() -> acquire(backend, "c"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("out of memory");
            assertThat(get(backend.renew(grant))).isInstanceOf(Renewal.Renewed.class);
            assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
            get(held.changed());
            get(backend.abandon(new LockName("b"), other));
            assertThat(get(backend.inspect(new LockName("b")))).isEmpty();
        } finally {
            admin.redis().configSet("maxmemory", "0");
        }
        assertThat(granted(get(backend.acquire(askWaiting("a", waiter, LEASE))))
                        .grant()
                        .token())
                .isGreaterThan(grant.token());
    }

    @Test
    void prefix_isWhatEveryKeyAndChannelBeginsWith() throws Exception {
        try (Kit.Opened other = Kit.open(server.url() + "?prefix=shop.")) {
            acquire(other.backend(), "a");
            queue(other.backend(), "a", HolderId.random(), LEASE);

            assertThat(admin.redis().keys("*")).isNotEmpty().allMatch(key -> key.startsWith("shop."));
            assertThat(admin.redis().pubsubChannels()).isNotEmpty().allMatch(key -> key.startsWith("shop."));
            assertThat(get(backend.inspect(new LockName("a")))).isEmpty();
        }
    }
}
