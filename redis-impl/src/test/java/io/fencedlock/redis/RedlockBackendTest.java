package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.LEASE;
import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.ask;
import static io.fencedlock.redis.Kit.askWaiting;
import static io.fencedlock.redis.Kit.get;
import static io.fencedlock.redis.Kit.granted;
import static io.fencedlock.redis.Kit.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Fence;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Topology;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lock on five nodes that are well. */
class RedlockBackendTest {

    private static final LockName A = new LockName("a");
    private static final String ENTRY = new RedisKeys("fencedlock:").lock(A);

    private static Cluster cluster;
    private static List<Kit.Admin> nodes;

    private Kit.Opened opened;
    private FencedLockBackend backend;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(Topology.REDLOCK, ServerOptions.defaults().throwAway());
        nodes = cluster.nodes().stream().map(Server::url).map(Kit.Admin::new).toList();
    }

    @AfterAll
    static void stop() {
        nodes.forEach(Kit.Admin::close);
        cluster.close();
    }

    @BeforeEach
    void open() throws Exception {
        nodes.forEach(node -> node.redis().flushall());
        opened = Kit.open(cluster.url());
        backend = opened.backend();
        get(backend.inspect(A)); // answered when all nodes have been reached
    }

    @AfterEach
    void close() {
        opened.close();
    }

    private static List<String> leftovers() {
        return nodes.stream()
                .flatMap(node -> node.leftovers().stream())
                .filter(key -> !key.endsWith(":redlock"))
                .toList();
    }

    /** A majority is enough for a grant: the other nodes' entries may come yet. */
    private static void awaitEntries(Grant grant) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> nodes.stream()
                        .map(node -> String.valueOf(node.redis().get(ENTRY)))
                        .allMatch(entry -> entry.startsWith(grant.token() + ":")));
    }

    private static void deleteEntry(int fromNode, int toNode) {
        nodes.subList(fromNode, toNode).forEach(node -> node.redis().del(ENTRY));
    }

    @Test
    void acquireRenewReleaseLeavesNothing() throws Exception {
        long before = Instant.now().toEpochMilli() * 1000;
        Grant first = acquire(backend, "a");
        assertThat(first.token()).isGreaterThanOrEqualTo(before);
        assertThat(get(backend.renew(first))).isInstanceOf(Renewal.Renewed.class);
        held(get(backend.acquire(ask("a", HolderId.random(), LEASE))));

        assertThat(get(backend.release(first))).isEqualTo(Release.RELEASED);
        assertThat(get(backend.release(first))).isEqualTo(Release.NOT_HELD);
        assertThat(get(backend.renew(first))).isInstanceOf(Renewal.NotHeld.class);
        Grant next = acquire(backend, "a");
        assertThat(next.token()).isGreaterThan(first.token());
        get(backend.release(next));
        Awaitility.await().untilAsserted(() -> assertThat(leftovers()).isEmpty());
    }

    @Test
    void tok8_repeatedRequestHasTheSameToken() throws Exception {
        HolderId holder = HolderId.random();
        Grant first = acquire(backend, "a", holder, LEASE);
        awaitEntries(first);
        deleteEntry(0, 2);

        assertThat(acquire(backend, "a", holder, LEASE)).isEqualTo(first);
        get(backend.release(first));
    }

    /** A connection was replaced, and what was sent on the old one comes after what was sent on the new one. */
    @Test
    void tok8_whatTakesATryBackSparesALaterTryOfTheSameHolder() throws Exception {
        HolderId holder = HolderId.random();
        Grant grant = acquire(backend, "a", holder, LEASE);
        awaitEntries(grant);
        long first = tryAtFirstNode();
        acquire(backend, "a", holder, LEASE);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> tryAtFirstNode() > first);

        assertThat(takeBackAtFirstNode(holder, first)).containsExactly(0L, 1L);
        assertThat(takeBackAtFirstNode(holder, tryAtFirstNode())).containsExactly(1L, 1L);
        assertThat(nodes.get(0).redis().exists(ENTRY)).isZero();
        assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
    }

    private static long tryAtFirstNode() {
        return Long.parseLong(nodes.get(0).redis().get(ENTRY).replaceFirst("^\\d+:\\w+\\.(\\d+):.*", "$1"));
    }

    private static List<Object> takeBackAtFirstNode(HolderId holder, long lastTry) {
        String[] where = {ENTRY, new RedisKeys("fencedlock:").abandoned(A, holder)};
        return nodes.get(0)
                .redis()
                .eval(
                        Script.QUORUM_RELEASE.text(),
                        ScriptOutputType.MULTI,
                        where,
                        holder.value(),
                        Long.toString(lastTry),
                        "",
                        "1000",
                        "channel",
                        "a");
    }

    @Test
    void lostOnAMajorityIsLost_onFewerIsNot() throws Exception {
        Grant grant = acquire(backend, "a");
        awaitEntries(grant);
        deleteEntry(0, 2);
        assertThat(get(backend.renew(grant))).isInstanceOf(Renewal.Renewed.class);
        deleteEntry(2, 3);
        assertThat(get(backend.renew(grant))).isInstanceOf(Renewal.NotHeld.class);
        get(backend.release(grant));
    }

    @Test
    void waiterIsToldOfARelease() throws Exception {
        Grant grant = acquire(backend, "a");
        HolderId waiter = HolderId.random();
        Attempt.Held held = held(get(backend.acquire(askWaiting("a", waiter, LEASE))));
        get(held.changed()); // the subscription stands
        held = held(get(backend.acquire(askWaiting("a", waiter, LEASE))));
        assertThat(held.changed().toCompletableFuture()).isNotDone();

        get(backend.release(grant));
        get(held.changed());
        assertThat(granted(get(backend.acquire(askWaiting("a", waiter, LEASE))))
                        .grant()
                        .token())
                .isGreaterThan(grant.token());
        get(backend.abandon(A, waiter));
        Awaitility.await().untilAsserted(() -> assertThat(leftovers()).isEmpty());
        nodes.forEach(node ->
                Awaitility.await().until(() -> node.redis().pubsubChannels().isEmpty()));
    }

    @Test
    void contendersTakeTurns() throws Exception {
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        int[] unguarded = {0};
        try (FencedLocks other = FencedLocks.connect(cluster.url() + "?command-timeout=10s")) {
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (FencedLocks locks : List.of(opened.locks(), other, opened.locks(), other)) {
                threads.add(CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 10; i++) {
                        try (Lease lease = locks.get("a")
                                .tryAcquire(Duration.ofSeconds(30))
                                .orElseThrow()) {
                            unguarded[0]++;
                            tokens.add(lease.token());
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }));
            }
            for (CompletableFuture<Void> thread : threads) {
                thread.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(unguarded[0]).isEqualTo(40);
        assertThat(tokens).hasSize(40).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void operatorsSeeFreeAndRaise() throws Exception {
        Grant grant = acquire(backend, "a");
        assertThat(get(backend.inspect(A)).orElseThrow().token()).isEqualTo(grant.token());
        assertThat(get(backend.forceRelease(A, grant.token() + 1))).isEqualTo(Release.NOT_HELD);
        assertThat(get(backend.forceRelease(A, grant.token()))).isEqualTo(Release.RELEASED);
        assertThat(get(backend.inspect(A))).isEmpty();

        long high = 1L << 62;
        get(backend.raiseTokens(high));
        Grant next = acquire(backend, "a");
        assertThat(next.token()).isEqualTo(high + 1);
        get(backend.release(next));
    }

    @Test
    void textbookTokensCountFromOne() throws Exception {
        try (Kit.Opened counting = Kit.open(cluster.url() + "?tokens=counter")) {
            for (long token = 1; token <= 3; token++) {
                Grant grant = acquire(counting.backend(), "a");
                assertThat(grant.token()).isEqualTo(token);
                get(counting.backend().release(grant));
            }
        }
    }

    @Test
    void aListInAnotherOrderIsRefused() throws Exception {
        get(backend.release(acquire(backend, "a")));
        String[] hosts = cluster.url().replace("redlock://", "").split(",");
        Collections.swap(java.util.Arrays.asList(hosts), 0, 4);
        Collections.swap(java.util.Arrays.asList(hosts), 1, 3);
        try (Kit.Opened wrong = Kit.open("redlock://" + String.join(",", hosts))) {
            assertThatThrownBy(() -> acquire(wrong.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("the same nodes in the same order");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redlock://h:1 | names at least 3 nodes",
                "redlock://h:1,h:2,h:2 | all different",
                "redlock://h:1,h:2,h:3?wait-replicas=1 | wait-replicas is not available"
            })
    void wrongConfigurationIsRefused(String url, String message) {
        assertThatThrownBy(() -> FencedLocks.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @Test
    void thereIsNoFenceOverSeveralNodes() {
        assertThatThrownBy(() -> Fence.connect(cluster.url()))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("needs one store");
        assertThatThrownBy(() -> FencedRegister.connect(cluster.url())).isInstanceOf(LockConfigurationException.class);
        assertThatThrownBy(() -> RedisGuard.connect(cluster.url())).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void anotherBackendsTokensAreBelow() throws Exception {
        long token;
        try (Kit.Opened one = Kit.open(cluster.nodes().get(0).url() + "?prefix=other:")) {
            Grant grant = acquire(one.backend(), "a");
            token = grant.token();
            get(one.backend().release(grant));
        }
        Grant next = acquire(backend, "a");
        assertThat(next.token()).isGreaterThan(token);
        get(backend.release(next));
        assertThat(Optional.of(backend.profile().backend())).hasValue("redlock");
    }
}
