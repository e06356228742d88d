package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client uses its keys again, so that a name costs no more the more often it was locked; and never one that something may yet come to. */
@SuppressWarnings("try") // some leases are only held
class EtcdKeyReuseTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static Server server;
    private static EtcdProbe probe;

    private String prefix;
    private FaultProxy proxy;
    private FencedLocks locks;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.ETCD, ServerOptions.defaults().throwAway());
        probe = new EtcdProbe(server);
    }

    @AfterAll
    static void stop() {
        probe.close();
        server.close();
    }

    @BeforeEach
    void connect() throws Exception {
        prefix = "r" + System.nanoTime();
        proxy = FaultProxy.inFrontOf(server);
        locks = FencedLocks.connect(proxy.url() + "/" + prefix + "?lease=6s&command-timeout=1s");
        locks.get("warm").tryAcquire(SOON).orElseThrow().close();
    }

    @AfterEach
    void disconnect() {
        locks.close();
        proxy.close();
    }

    private Lease acquire() throws InterruptedException {
        return locks.get("a").tryAcquire(SOON).orElseThrow();
    }

    private String onlyKey() {
        List<String> keys = probe.entries(prefix);
        assertThat(keys).hasSize(1);
        return keys.get(0);
    }

    @Test
    void oneKeyForAllAcquisitionsOfAName_withARisingToken() throws Exception {
        List<String> keys = new ArrayList<>();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            try (Lease lease = acquire()) {
                keys.add(onlyKey());
                tokens.add(lease.token());
            }
        }

        assertThat(keys).containsOnly(keys.get(0)).allMatch(key -> key.endsWith("-0"));
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void waitersOfOneClientHaveKeysOfTheirOwn_andGetInOneAfterTheOther() throws Exception {
        Lease first = acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int there = i + 1;
            waiting.add(locks.get("a").acquireAsync());
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(probe.entries(prefix)).hasSize(there));
        }
        assertThat(probe.entries(prefix)).allMatch(key -> key.matches(".*-[0123]"));

        // Back in the queue at once, with the key that was just free: the second waits for an entry that was there
        // before at the same key.
        assertThat(first.release()).isEqualTo(Release.RELEASED);
        Lease second = waiting.get(0).get(20, TimeUnit.SECONDS);
        CompletableFuture<Lease> again = locks.get("a").acquireAsync();
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(probe.entries(prefix)).hasSize(4));
        assertThat(probe.entries(prefix)).allMatch(key -> key.matches(".*-[0123]"));

        long token = second.token();
        second.close();
        for (CompletableFuture<Lease> next : List.of(waiting.get(1), waiting.get(2), again)) {
            try (Lease lease = next.get(20, TimeUnit.SECONDS)) {
                assertThat(lease.token()).isGreaterThan(token);
                token = lease.token();
            }
        }
    }

    @Test
    void aKeyToWhichALostReleaseMayComeLateIsNotUsedAgain() throws Exception {
        Lease first = acquire();
        String key = onlyKey();
        proxy.loseReplyAndCut(bytes -> bytes.contains("locks/a/"));
        assertThat(first.release()).isEqualTo(Release.UNKNOWN);

        try (Lease second = acquire()) {
            assertThat(onlyKey()).isNotEqualTo(key);
            probe.delete(key); // the release, come late
            assertThat(second.release()).isEqualTo(Release.RELEASED);
        }
    }

    @Test
    void aKeyToWhichALostAcquireMayComeLateIsNotUsedAgain() throws Exception {
        acquire().close();
        proxy.loseReplyAndCut(bytes -> bytes.contains("locks/a/"));
        Lease first = acquire(); // repeated, and found
        String key = onlyKey();
        assertThat(first.release()).isEqualTo(Release.RELEASED);

        try (Lease second = acquire()) {
            assertThat(onlyKey()).isNotEqualTo(key);
            assertThat(second.token()).isGreaterThan(first.token());
        }
    }

    @Test
    void whatAnEarlierContenderLeftAtAKeyIsClearedAway() throws Exception {
        Lease first = acquire();
        String key = onlyKey();
        long etcdLease = probe.etcdLeaseOf(key);
        first.close();
        probe.put(key, "{\"holder\":\"" + "f".repeat(32) + "\",\"base\":0}", etcdLease);
        long left = probe.revision();

        try (Lease second = acquire()) {
            assertThat(onlyKey()).isEqualTo(key);
            assertThat(((EtcdRef) second.grant().ref()).createRevision()).isGreaterThan(left);
            assertThat(second.release()).isEqualTo(Release.RELEASED);
        }
        assertThat(probe.entries(prefix)).isEmpty();
    }

    @Test
    void aLostLeaseGivesItsKeyBack_andItsSecondReleaseTouchesNobody() throws Exception {
        Lease first = acquire();
        String key = onlyKey();
        CompletableFuture<Void> lost = new CompletableFuture<>();
        first.onLost(reason -> lost.complete(null));
        probe.delete(key);
        lost.get(20, TimeUnit.SECONDS);

        try (Lease second = acquire()) {
            assertThat(onlyKey()).isEqualTo(key);
            assertThat(first.release()).isEqualTo(Release.NOT_HELD);
            assertThat(onlyKey()).isEqualTo(key);
            assertThat(second.release()).isEqualTo(Release.RELEASED);
        }
    }
}
