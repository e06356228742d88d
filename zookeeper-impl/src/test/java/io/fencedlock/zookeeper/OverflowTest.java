package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Z10: what happens at 2^31 creates under one parent, on a real server in this JVM, whose counter can be set. */
class OverflowTest {

    @TempDir
    Path data;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private ZooKeeperServer server;
    private String url;

    @BeforeEach
    void start() throws Exception {
        server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
        ServerCnxnFactory factory =
                ServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        factory.startup(server);
        opened.add(factory::shutdown);
        url = "zookeeper://127.0.0.1:" + factory.getLocalPort() + Rig.SESSION;
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private FencedLocks connect(String options) {
        FencedLocks locks = FencedLocks.connect(url + options);
        opened.add(0, locks);
        return Rig.ready(locks);
    }

    /** Sets the number that the stripe of lock "a" gives out next. */
    private void nextSequence(FencedLocks locks, int number) throws Exception {
        String stripe;
        try (Lease lease = locks.get("a").acquire()) {
            stripe = ZkPaths.parent(Rig.node(lease));
        }
        DataNode node = server.getZKDatabase().getNode(stripe);
        synchronized (node) {
            node.stat.setCversion(number);
        }
    }

    private static int sequence(Lease lease) {
        return ZkPaths.sequenceOf(ZkPaths.child(Rig.node(lease)));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE - 3, Integer.MAX_VALUE, Integer.MIN_VALUE, -3})
    void counterAtItsEnd_exclusionAndOrderHold(int next) throws Exception {
        FencedLocks one = connect("");
        FencedLocks two = connect("");
        nextSequence(one, next);
        long last = 0;
        for (int round = 0; round < 4; round++) {
            Lease held = one.get("a").acquire();
            assertThat(held.token()).isGreaterThan(last);
            for (int i = 0; i < 10; i++) {
                assertThat(two.get("a").tryAcquire()).isEmpty();
            }
            CompletableFuture<Lease> second = two.get("a").acquireAsync();
            Rig.waiters(one, "a", 1);
            CompletableFuture<Lease> third = one.get("a").acquireAsync();
            Rig.waiters(one, "a", 2);
            assertThat(one.inspect("a").orElseThrow().token()).isEqualTo(held.token());
            held.close();
            Lease next2 = second.get(10, TimeUnit.SECONDS);
            assertThat(third).isNotDone();
            next2.close();
            Lease next3 = third.get(10, TimeUnit.SECONDS);
            assertThat(next2.token()).isBetween(held.token() + 1, next3.token() - 1);
            last = next3.token();
            next3.close();
        }
    }

    @Test
    void counterAtItsEnd_theServerRepeatsItsNumbers() throws Exception {
        FencedLocks locks = connect("");
        nextSequence(locks, Integer.MAX_VALUE);
        try (Lease first = locks.get("a").acquire()) {
            assertThat(sequence(first)).isEqualTo(Integer.MAX_VALUE);
        }
        try (Lease second = locks.get("a").acquire()) {
            assertThat(sequence(second)).isIn(Integer.MAX_VALUE, Integer.MIN_VALUE);
        }
    }

    @Test
    void sequenceAsToken_isRefusedAtItsEnd() throws Exception {
        FencedLocks locks = connect("&tokens=sequence");
        nextSequence(locks, Integer.MAX_VALUE - 1);
        try (Lease last = locks.get("a").acquire()) {
            assertThat(last.token()).isEqualTo(Integer.MAX_VALUE);
        }
        assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(50)))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("used up");
        Rig.free(locks, "a");
    }
}
