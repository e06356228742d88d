package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WAI-2: nodes that come to stand when nobody wants them any more are gone within one renewal interval. */
class GhostTest {

    @RegisterExtension
    static final Rig rig = new Rig();

    /** A quarter of the session's time. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** The driver waits up to a second before it connects anew. */
    private static final Duration RECONNECT = Duration.ofMillis(1200);

    private static final Duration BUSY_MACHINE = Duration.ofSeconds(1);

    /** For what must not happen meanwhile. */
    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    private static void gone(Duration since) {
        await().pollInterval(Duration.ofMillis(20))
                .atMost(since.plus(INTERVAL).plus(BUSY_MACHINE))
                .until(() -> rig.contenders().isEmpty());
    }

    /** The session's time is 4 s: the shorter pauses keep the connection, the longer ones end it, and the longest the session, too. */
    @ParameterizedTest
    @ValueSource(longs = {1300, 3300})
    void serverPausedWhileAcquiresGiveUp_nothingIsLeft(long pauseMillis) throws Exception {
        pausedWhileAcquiresGiveUp(6, Duration.ofMillis(pauseMillis));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(longs = {1100, 1700, 2300, 2800, 3200, 3600, 4000, 4400, 5000, 6000})
    void serverPausedWhileManyAcquiresGiveUp_nothingIsLeft(long pauseMillis) throws Exception {
        pausedWhileAcquiresGiveUp(10, Duration.ofMillis(pauseMillis));
    }

    private static void pausedWhileAcquiresGiveUp(int clients, Duration pause) throws Exception {
        List<FencedLocks> locks =
                IntStream.range(0, clients).mapToObj(i -> rig.connect()).toList();
        for (FencedLocks each : locks) {
            each.get("a").acquire().close();
        }
        rig.raw();
        rig.server().pause();
        long paused = System.nanoTime();
        List<CompletableFuture<Optional<Lease>>> tries = new ArrayList<>();
        for (FencedLocks each : locks) {
            tries.add(each.get("a").tryAcquireAsync(Duration.ofMillis(100)));
        }
        for (CompletableFuture<Optional<Lease>> attempt : tries) {
            assertThat(attempt).failsWithin(Rig.SOON);
        }
        pass(pause.minusNanos(System.nanoTime() - paused));
        rig.server().resume();
        gone(RECONNECT);
        pass(INTERVAL.multipliedBy(2));
        assertThat(rig.contenders()).isEmpty();
        locks.get(0).get("a").tryAcquire(Rig.SOON).orElseThrow().close();
    }

    /** However late: as if the network had held the request back. */
    @Test
    void createThatArrivesManyIntervalsLater_isRemoved() throws Exception {
        FaultProxy proxy = rig.opened(FaultProxy.inFrontOf(rig.server()));
        Rig.Client client = rig.client(proxy.url(), "");
        client.locks().get("a").acquire().close();
        proxy.loseReplyAndCut(request -> request.contains("v1/locks/"));
        assertThatThrownBy(() -> client.locks().get("a").tryAcquire(Duration.ofMillis(100)))
                .isInstanceOfAny(OutcomeUnknownException.class, BackendUnavailableException.class);
        Rig.free(client.locks(), "a");
        pass(INTERVAL.multipliedBy(3).plusMillis(500));
        LockName name = new LockName("a");
        String stripe = new ZkPaths(rig.prefix().substring(1)).stripe(name);
        String late = ZkPaths.contender(stripe, name, HolderId.random());
        String stood = client.session()
                .handle()
                .create(late, null, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
        assertThat(stood).startsWith(late);
        gone(Duration.ZERO);
    }

    @Test
    void createThatArrivesWhenItWasGivenUp_isRemoved() throws Exception {
        FaultProxy proxy = rig.opened(FaultProxy.inFrontOf(rig.server()));
        FencedLocks locks = rig.connect(proxy.url(), "");
        locks.get("a").acquire().close();
        for (int i = 0; i < 3; i++) {
            proxy.set(FaultProxy.Direction.TO_SERVER, Fault.stall());
            assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(100)))
                    .isInstanceOf(OutcomeUnknownException.class);
            proxy.heal();
            gone(RECONNECT);
        }
    }
}
