package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.Grant;
import io.fencedlock.Lease;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A server that answers but does not serve: nothing was done, and the reason is told; and it is used again as soon as it serves. */
class RedisRefusalTest {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private static void refused(FencedLockBackend backend, String why) {
        assertThatThrownBy(() -> acquire(backend, "refused"))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining(why);
    }

    private static void refusedInTheEnd(FencedLockBackend backend, String why) {
        Awaitility.await().atMost(WAIT).untilAsserted(() -> refused(backend, why));
    }

    private static Grant soon(FencedLockBackend backend, String name) {
        return Awaitility.await().atMost(WAIT).ignoreExceptions().until(() -> acquire(backend, name), grant -> true);
    }

    @Test
    void busyServer() throws Exception {
        try (Server server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
                Kit.Admin admin = new Kit.Admin(server.url());
                Kit.Admin other = new Kit.Admin(server.url());
                Kit.Opened opened = Kit.open(server.url())) {
            soon(opened.backend(), "before");
            admin.redis().configSet("lua-time-limit", "20");
            CompletableFuture<Object> script = CompletableFuture.supplyAsync(
                    () -> other.redis().eval("while true do end", ScriptOutputType.STATUS));
            refusedInTheEnd(opened.backend(), "BUSY");

            admin.redis().scriptKill();

            assertThat(script).failsWithin(WAIT);
            soon(opened.backend(), "after");
        }
    }

    @Test
    void los3_serverThatIsAReplicaForAMomentCostsNoLease() throws Exception {
        try (Server server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
                Kit.Admin admin = new Kit.Admin(server.url());
                Kit.Opened opened = Kit.open(server.url());
                FencedLocks locks = FencedLocks.connect(server.url() + "?lease=30s");
                Lease lease = locks.get("held").tryAcquire(WAIT).orElseThrow()) {
            soon(opened.backend(), "before");
            admin.redis().replicaof("127.0.0.1", 1);
            refused(opened.backend(), "replica");
            assertThatThrownBy(lease::renew).isInstanceOf(BackendUnavailableException.class);

            admin.redis().replicaofNoOne();

            soon(opened.backend(), "after");
            Awaitility.await().atMost(WAIT).ignoreExceptions().untilAsserted(lease::renew);
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void serverThatStillLoadsItsData() throws Exception {
        try (Server server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
                Kit.Admin admin = new Kit.Admin(server.url());
                Kit.Opened opened = Kit.open(server.url())) {
            soon(opened.backend(), "before");
            // The server looks up from loading once in a thousand commands.
            admin.redis()
                    .eval("for i = 1, 4000 do redis.call('SET', 'k' .. i, i) end return 1", ScriptOutputType.INTEGER);
            admin.redis().configSet("key-load-delay", "500");
            admin.redis().configRewrite();
            CompletableFuture<Void> restarted = CompletableFuture.runAsync(() -> server.restart(Data.KEEP));
            refusedInTheEnd(opened.backend(), "loading");

            restarted.get(60, TimeUnit.SECONDS);

            soon(opened.backend(), "after");
        }
    }

    @Test
    void clusterWithoutSlots() throws Exception {
        ServerOptions node = ServerOptions.defaults().throwAway().setting("cluster-enabled", "yes");
        try (Server server = Servers.start(Store.REDIS, node);
                Kit.Admin admin = new Kit.Admin(server.url());
                Kit.Opened single = Kit.open(server.url());
                Kit.Opened cluster = Kit.open(server.url().replace("redis:", "redis-cluster:"))) {
            refusedInTheEnd(single.backend(), "cluster does not serve");
            refusedInTheEnd(cluster.backend(), "slot");

            admin.redis()
                    .clusterAddSlots(java.util.stream.IntStream.range(0, 16_384).toArray());

            soon(cluster.backend(), "after");
        }
    }
}
