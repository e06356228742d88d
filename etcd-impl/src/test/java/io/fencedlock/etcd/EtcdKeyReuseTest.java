package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.FaultProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client uses its keys again, so that a name costs no more the more often it was locked; and never one that something may yet come to. */
@SuppressWarnings("try") // some leases are only held
class EtcdKeyReuseTest {

    @RegisterExtension
    static final Rig RIG = Rig.own();

    private FaultProxy proxy;
    private FencedLocks locks;

    @BeforeEach
    void connect() throws Exception {
        proxy = FaultProxy.inFrontOf(RIG.server());
        locks = RIG.connect(proxy.url(), "lease=6s&command-timeout=1s");
        locks.get("warm").tryAcquire(Rig.SOON).orElseThrow().close();
    }

    @AfterEach
    void disconnect() {
        locks.close();
        proxy.close();
    }

    private Lease acquire() throws InterruptedException {
        return locks.get("a").tryAcquire(Rig.SOON).orElseThrow();
    }

    private String onlyKey() {
        List<String> keys = RIG.entries();
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
            waiting.add(locks.get("a").acquireAsync());
            RIG.entriesBecome(i + 1);
        }
        assertThat(RIG.entries()).allMatch(key -> key.matches(".*-[0123]"));

        // Back in the queue at once, with the key that was just free: the second waits for an entry that was there
        // before at the same key.
        assertThat(first.release()).isEqualTo(Release.RELEASED);
        Lease second = waiting.get(0).get(20, TimeUnit.SECONDS);
        CompletableFuture<Lease> again = locks.get("a").acquireAsync();
        RIG.entriesBecome(4);
        assertThat(RIG.entries()).allMatch(key -> key.matches(".*-[0123]"));

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
            RIG.probe().delete(key); // the release, come late
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
        long etcdLease = RIG.probe().etcdLeaseOf(key);
        first.close();
        RIG.probe().put(key, "{\"holder\":\"" + "f".repeat(32) + "\",\"base\":0}", etcdLease);
        long left = RIG.probe().revision();

        try (Lease second = acquire()) {
            assertThat(onlyKey()).isEqualTo(key);
            assertThat(((EtcdRef) second.grant().ref()).createRevision()).isGreaterThan(left);
            assertThat(second.release()).isEqualTo(Release.RELEASED);
        }
        assertThat(RIG.entries()).isEmpty();
    }

    @Test
    void aLostLeaseGivesItsKeyBack_andItsSecondReleaseTouchesNobody() throws Exception {
        Lease first = acquire();
        String key = onlyKey();
        CompletableFuture<Void> lost = new CompletableFuture<>();
        first.onLost(reason -> lost.complete(null));
        RIG.probe().delete(key);
        lost.get(20, TimeUnit.SECONDS);

        try (Lease second = acquire()) {
            assertThat(onlyKey()).isEqualTo(key);
            assertThat(first.release()).isEqualTo(Release.NOT_HELD);
            assertThat(onlyKey()).isEqualTo(key);
            assertThat(second.release()).isEqualTo(Release.RELEASED);
        }
    }
}
