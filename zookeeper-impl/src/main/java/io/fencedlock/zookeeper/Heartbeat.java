package io.fencedlock.zookeeper;

import io.fencedlock.HolderId;
import io.fencedlock.LockClock;
import io.fencedlock.LossReason;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Once per quarter of the session's time, while there is any contender: one write, whose acknowledgement proves that the leader still knows the
 * session, and one look at the session's ephemeral nodes. A node that should be there and is not is a loss; a node that nobody claims, left by a
 * create that came late, is deleted.
 */
final class Heartbeat {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final byte[] NOTHING = {};

    private final ZkPaths paths;
    private final Map<HolderId, Contender> contenders;
    private final HolderId client = HolderId.random();
    private final LockClock clock;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile boolean stopped;
    private volatile boolean sweepPending = true;

    Heartbeat(ZkPaths paths, Map<HolderId, Contender> contenders, LockClock clock) {
        this.paths = paths;
        this.contenders = contenders;
        this.clock = clock;
    }

    /** Begins to look after a session; ends with it. */
    void start(ZkSession session) {
        clock.schedule(session.timeout().toNanos() / 4, () -> beat(session));
    }

    void stop() {
        stopped = true;
    }

    private void beat(ZkSession session) {
        if (stopped || session.isEnded()) {
            return;
        }
        start(session);
        boolean idle = contenders.isEmpty() && !sweepPending;
        if (idle || !session.isConnected() || !busy.compareAndSet(false, true)) {
            return;
        }
        // One more after the last contender has gone: what came late from it is found then.
        sweepPending = !contenders.isEmpty();
        write(session).thenCompose(written -> sweep(session)).whenComplete((done, failure) -> {
            busy.set(false);
            if (failure != null) {
                LOG.debug("heartbeat failed: {}", failure.getMessage());
            }
        });
    }

    private CompletableFuture<Boolean> write(ZkSession session) {
        String node = paths.heartbeat(client);
        return session.set(node, NOTHING, -1)
                .thenApply(stat -> true)
                .exceptionallyCompose(failure -> ZkErrors.is(failure, Code.NONODE)
                        ? Parents.create(session, node, started(), CreateMode.EPHEMERAL)
                                .thenApply(created -> true)
                        : CompletableFuture.failedFuture(failure));
    }

    private static byte[] started() {
        return Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
    }

    private CompletableFuture<Void> sweep(ZkSession session) {
        Map<String, Contender> expected = new HashMap<>();
        contenders.values().forEach(contender -> {
            Contender.Place place = contender.place();
            if (place != null && place.session().equals(session)) {
                expected.put(place.path(), contender);
            }
        });
        return session.ephemerals(paths.locks()).thenAccept(found -> compare(session, expected, found));
    }

    private void compare(ZkSession session, Map<String, Contender> expected, List<String> found) {
        Set<String> standing = new HashSet<>(found);
        expected.forEach((path, contender) -> {
            if (!standing.contains(path) && contenders.containsValue(contender)) {
                LOG.warn("znode {} has gone", path);
                contender.vanish(LossReason.NOT_HELD);
                if (contender.isGranted()) {
                    contenders.values().remove(contender);
                }
            }
        });
        for (String path : standing) {
            String child = ZkPaths.child(path);
            if (ZkPaths.isContender(child) && !contenders.containsKey(ZkPaths.holderOf(child))) {
                LOG.info("znode {}, which nobody claims, is deleted", path);
                session.delete(path);
            }
        }
    }
}
