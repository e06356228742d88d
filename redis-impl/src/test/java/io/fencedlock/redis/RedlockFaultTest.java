package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.LEASE;
import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.ask;
import static io.fencedlock.redis.Kit.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LossReason;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lock on five nodes of which some are not well. */
class RedlockFaultTest {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private static Cluster cluster;
    private static List<Server> nodes;
    private static List<FaultProxy> proxies;

    private Kit.Opened opened;
    private FencedLockBackend backend;

    @BeforeAll
    static void start() {
        cluster = Cluster.startBehindProxies(
                Topology.REDLOCK, ServerOptions.defaults().throwAway());
        nodes = cluster.nodes();
        proxies = cluster.proxies();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void open() {
        opened = Kit.open(cluster.url() + "?command-timeout=1500ms");
        backend = opened.backend();
        cycle("warm");
    }

    @AfterEach
    void close() {
        opened.close();
        proxies.forEach(FaultProxy::heal);
        nodes.stream().filter(node -> node.pid().isEmpty()).forEach(node -> node.restart(Data.KEEP));
        cluster.awaitWhole(WAIT);
    }

    /** As soon as the nodes are reached, and have nothing any more of what failed before. */
    private long cycle(String name) {
        Attempt.Granted granted = Awaitility.await()
                .atMost(WAIT)
                .ignoreExceptionsInstanceOf(FencedLockException.class)
                .until(
                        () -> get(backend.acquire(ask(name, HolderId.random(), LEASE))) instanceof Attempt.Granted found
                                ? found
                                : null,
                        found -> found != null);
        try {
            assertThat(get(backend.release(granted.grant()))).isEqualTo(Release.RELEASED);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return granted.grant().token();
    }

    @Test
    void twoDeadNodesHarmNothing_threeAreNoMajority() throws Exception {
        Grant grant = acquire(backend, "a");
        nodes.subList(0, 2).forEach(Server::kill);
        assertThat(get(backend.renew(grant))).isInstanceOf(Renewal.Renewed.class);
        assertThat(get(backend.acquire(ask("a", HolderId.random(), LEASE)))).isInstanceOf(Attempt.Held.class);
        assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
        long next = cycle("a");
        assertThat(next).isGreaterThan(grant.token());

        nodes.get(2).kill();
        try (FencedLocks locks = FencedLocks.connect(cluster.url() + "?command-timeout=1500ms")) {
            long began = System.nanoTime();
            assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(500)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("no majority");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(2500));
        }
        nodes.subList(0, 3).forEach(node -> node.restart(Data.KEEP));
        assertThat(cycle("a")).isGreaterThan(next);
    }

    /** Three answer, but one of them knows nothing: it has no vote before a majority of those that know has told it. */
    @Test
    void aNodeWithoutItsDataHasNoVoteUntilItIsSeeded() throws Exception {
        long before = cycle("a");
        nodes.subList(0, 2).forEach(Server::kill);
        nodes.get(2).restart(Data.WIPE);

        Awaitility.await().atMost(WAIT).until(() -> nodes.get(2).answers());
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> acquire(backend, "a")).isInstanceOf(FencedLockException.class);
        }
        assertThat(life(2)).isEmpty();

        nodes.get(0).restart(Data.KEEP);
        assertThat(cycle("a")).isGreaterThan(before);
        // It is seeded by those who use it, once they are connected to it again.
        Awaitility.await()
                .atMost(WAIT)
                .ignoreExceptionsInstanceOf(FencedLockException.class)
                .until(() -> {
                    cycle("a");
                    return life(2).isPresent();
                });
        assertThat(Long.parseLong(life(2).orElseThrow())).isGreaterThan(before);
    }

    private static Optional<String> life(int node) {
        Kit.Admin admin = new Kit.Admin(nodes.get(node).url());
        try {
            return Optional.ofNullable(admin.redis().hget("fencedlock:1:redlock", "life"));
        } finally {
            admin.close();
        }
    }

    @Test
    void aLostReplyOnAMajorityIsUnknown_andRepeatable() throws Exception {
        HolderId holder = HolderId.random();
        proxies.subList(0, 3).forEach(proxy -> proxy.loseReplyAndCut(request -> request.contains(holder.value())));

        assertThatThrownBy(() -> acquire(backend, "a", holder, LEASE)).isInstanceOf(OutcomeUnknownException.class);
        Grant grant = Awaitility.await()
                .atMost(WAIT)
                .ignoreExceptionsInstanceOf(FencedLockException.class)
                .until(() -> acquire(backend, "a", holder, LEASE), found -> true);
        assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
        cycle("a");
    }

    @Test
    void heldBackNodesDelayNobody() throws Exception {
        Stream.of(0, 3).forEach(i -> proxies.get(i).set(FaultProxy.Direction.TO_SERVER, Fault.stall()));

        long began = System.nanoTime();
        Grant grant = acquire(backend, "a");
        get(backend.renew(grant));
        assertThat(get(backend.release(grant))).isEqualTo(Release.RELEASED);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
    }

    /** What was held back comes late, and must grant nothing to who gave up. */
    @Test
    void aLateRequestOfOneWhoGaveUpLeavesNothing() {
        HolderId holder = HolderId.random();
        proxies.forEach(proxy -> proxy.set(FaultProxy.Direction.TO_SERVER, Fault.stall()));
        assertThatThrownBy(() -> acquire(backend, "a", holder, LEASE)).isInstanceOf(OutcomeUnknownException.class);
        proxies.forEach(FaultProxy::heal);
        Awaitility.await().atMost(WAIT).until(() -> {
            try {
                get(backend.abandon(new io.fencedlock.LockName("a"), holder));
                return true;
            } catch (FencedLockException e) {
                return false;
            }
        });

        cycle("a");
        Awaitility.await()
                .atMost(WAIT)
                .until(() -> nodes.stream()
                        .flatMap(node -> node.contents().keys().stream())
                        .noneMatch(key -> key.contains("}:lock:")));
    }

    @Test
    void theHolderIsToldWhenAMajorityDropsItsEntry() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(cluster.url() + "?lease=10s")) {
            Lease lease = locks.get("b").acquire();
            String key = new RedisKeys("fencedlock:").lock(new io.fencedlock.LockName("b"));
            CompletableFuture<LossReason> lost = lease.lost().toCompletableFuture();
            // A majority is enough for the grant: the requests to the other nodes may come yet.
            Awaitility.await().atMost(WAIT).until(() -> {
                nodes.subList(0, 3).forEach(node -> node.contents().delete(key));
                return lost.isDone();
            });
            assertThat(lost).isCompletedWithValue(LossReason.NOT_HELD);
            assertThat(lease.isValid()).isFalse();
        }
    }
}
