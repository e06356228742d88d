package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.LEASE;
import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.askWaiting;
import static io.fencedlock.redis.Kit.get;
import static io.fencedlock.redis.Kit.granted;
import static io.fencedlock.redis.Kit.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Attempt;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import io.fencedlock.StaleTokenException;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grants that replicas have to confirm, and what a replica says when it is asked. */
class RedisReplicationTest {

    private static Server primary;
    private static Server replica;
    private static Kit.Admin admin;
    private static Kit.Admin replicaAdmin;

    @BeforeAll
    static void start() {
        primary = Servers.start(
                Store.REDIS, ServerOptions.defaults().throwAway().setting("repl-diskless-sync-delay", "0"));
        replica = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
        admin = new Kit.Admin(primary.url());
        replicaAdmin = new Kit.Admin(replica.url());
        replicate();
    }

    private static void replicate() {
        replicaAdmin
                .redis()
                .replicaof(primary.address().getHostString(), primary.address().getPort());
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> replicaAdmin.redis().info("replication").contains("master_link_status:up"));
    }

    @AfterAll
    static void stop() {
        admin.close();
        replicaAdmin.close();
        replica.close();
        primary.close();
    }

    @Test
    void waitReplicas_confirmedGrantIsOnTheReplica() throws Exception {
        try (Kit.Opened opened = Kit.open(primary.url() + "?wait-replicas=1")) {
            Grant grant = acquire(opened.backend(), "a");

            assertThat(replicaAdmin.redis().keys("*lock:a")).hasSize(1);
            assertThat(get(opened.backend().renew(grant))).isInstanceOf(Renewal.Renewed.class);
            HolderId waiter = HolderId.random();
            Attempt.Held held = queue(opened.backend(), "a", waiter, LEASE);
            get(opened.backend().release(grant));
            get(held.changed());
            Grant next = granted(get(opened.backend().acquire(askWaiting("a", waiter, LEASE))))
                    .grant();
            assertThat(get(opened.backend().inspect(new LockName("a")))
                            .orElseThrow()
                            .remaining()
                            .orElseThrow())
                    .isGreaterThan(Duration.ofSeconds(10));
            assertThat(get(opened.backend().release(next))).isEqualTo(Release.RELEASED);
        }
    }

    @Test
    void waitReplicas_shortfallFailsAndLeavesNoLock() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(primary.url() + "?wait-replicas=2&command-timeout=3s")) {
            assertThatThrownBy(() -> locks.get("short").tryAcquire())
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("2 replicas had to confirm it");
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(admin.redis().keys("*lock:short")).isEmpty());
        }
    }

    @Test
    void replicaIsToldFromAServerThatServes() throws Exception {
        try (Kit.Opened opened = Kit.open(replica.url())) {
            assertThatThrownBy(() -> acquire(opened.backend(), "b"))
                    .isInstanceOf(io.fencedlock.BackendUnavailableException.class)
                    .hasMessageContaining("replica");
        }
    }

    /** The replica is cut off before the write and then takes over. */
    @ParameterizedTest
    @ValueSource(strings = {"clock", "counter"})
    void flt10_failoverThatLostAGrant(String source) throws Exception {
        String options = "?prefix=" + source + ":&tokens=" + source;
        try (Kit.Opened before = Kit.open(primary.url() + options);
                FencedRegister register = FencedRegister.connect(replica.url() + options)) {
            get(before.backend().release(acquire(before.backend(), "f")));
            Awaitility.await()
                    .until(() ->
                            !replicaAdmin.redis().keys(source + ":*:counter").isEmpty());
            replicaAdmin.redis().replicaofNoOne();
            Grant lost = acquire(before.backend(), "f");
            try (Kit.Opened after = Kit.open(replica.url() + options)) {
                Grant next = acquire(after.backend(), "f");

                if (source.equals("clock")) {
                    assertThat(next.token()).isGreaterThan(lost.token());
                } else {
                    assertThat(next.token()).isEqualTo(lost.token());
                }
                register.write("r", new FenceMark(next.token(), next.holder()), "new");
                assertThatThrownBy(() -> register.write("r", new FenceMark(lost.token(), lost.holder()), "stale"))
                        .isInstanceOf(StaleTokenException.class);
                assertThat(register.read("r")).hasValue("new");
            }
        } finally {
            replicate();
        }
    }
}
