package io.fencedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The snippets of docs/fencing.md for Redis; the test of this name in jdbc-impl compares them with the page. */
class FencingDocTest {

    @Test
    void snippets() throws Exception {
        try (Server server = Servers.start(Store.REDIS);
                Kit.Admin admin = new Kit.Admin(server.url());
                FencedLocks locks = FencedLocks.connect(server.url())) {
            StatefulRedisConnection<String, String> connection = admin.connection();
            FencedLock lock = locks.get("invoice-1041");
            // snippet: redis
            RedisFence fence = RedisFence.on(connection); // yours; or RedisFence.connect("redis://…")

            try (Lease lease = lock.acquire()) {
                fence.writer(lease).set("invoice-1041", "sent");
                fence.writer(lease).setFields("{invoice-1041}:details", Map.of("by", "worker-7"));
                fence.writer(lease)
                        .run("return redis.call('RPUSH', KEYS[1], ARGV[1])", List.of("{invoice-1041}:log"), "sent");
            }
            // end
            assertThat(admin.redis().get("invoice-1041")).isEqualTo("sent");
            assertThat(admin.redis().llen("{invoice-1041}:log")).isEqualTo(1);
            try (Lease lease = lock.acquire()) {
                // snippet: store-advance
                fence.advance("invoice-1041", lease); // from here on no older holder can write
                // ... read, compute for as long as it takes, and write behind the fence
                // end
                assertThat(fence.mark("invoice-1041")).hasValue(lease.mark());
                // snippet: redis-guard
                RedisGuard guard = RedisGuard.on(connection);
                guard.writer(lease).set("invoice-1041", "paid"); // LeaseLostException once the lease is over
                // end
            }
            assertThat(admin.redis().get("invoice-1041")).isEqualTo("paid");
            List<String> lines = new ArrayList<>();
            // snippet: store-housekeeping
            fence.forEachMark(
                    info -> lines.add(info.resource() + " " + info.mark().token() + " " + info.usedAt()));
            long deleted = fence.expire(Duration.ofDays(30)); // nobody pauses that long
            FenceMark raised = fence.raise("invoice-1041", Long.MAX_VALUE - 1); // only tokens above pass now
            // end
            assertThat(lines).hasSize(1);
            assertThat(deleted).isZero();
            assertThat(raised.holder()).isNull();
        }
    }
}
