package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.LockName;
import io.fencedlock.Renewal;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many renewals at once: few requests, and each has its own outcome. */
class RedisRenewalsTest {

    private static final int MANY = 300;

    private static Server server;
    private static Kit.Admin admin;
    private static Kit.Opened opened;
    private static FencedLockBackend backend;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.REDIS);
        admin = new Kit.Admin(server.url());
        opened = Kit.open(server.url());
        backend = opened.backend();
    }

    @AfterAll
    static void stop() {
        opened.close();
        admin.close();
        server.close();
    }

    private static List<CompletionStage<Renewal>> renew(List<Grant> grants) {
        return grants.stream().map(backend::renew).toList();
    }

    @Test
    void manyAtOnce_goTogether() throws Exception {
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            grants.add(acquire(backend, "many-" + i));
        }
        get(backend.release(grants.get(7)));
        List<String> keys = admin.redis().keys("*lock:many-*");
        keys.forEach(key -> admin.redis().pexpire(key, 10_000));
        long before = admin.scripts();

        List<CompletionStage<Renewal>> renewals = renew(grants);

        for (int i = 0; i < MANY; i++) {
            assertThat(get(renewals.get(i))).isInstanceOf(i == 7 ? Renewal.NotHeld.class : Renewal.Renewed.class);
        }
        assertThat(admin.scripts() - before).isLessThan(MANY / 10);
        assertThat(keys).hasSize(MANY - 1).allMatch(key -> admin.redis().pttl(key) > 10_000);
    }

    @Test
    void keyThatIsNoLock_failsAlone() throws Exception {
        List<Grant> grants = List.of(acquire(backend, "first"), acquire(backend, "spoilt"), acquire(backend, "third"));
        String key = new RedisKeys("fencedlock:").lock(new LockName("spoilt"));
        admin.redis().del(key);
        admin.redis().lpush(key, "no lock");

        // The first goes by itself, the others together.
        List<CompletionStage<Renewal>> renewals = renew(grants);

        assertThat(get(renewals.get(0))).isInstanceOf(Renewal.Renewed.class);
        assertThatThrownBy(() -> get(renewals.get(1)))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(get(renewals.get(2))).isInstanceOf(Renewal.Renewed.class);
    }
}
