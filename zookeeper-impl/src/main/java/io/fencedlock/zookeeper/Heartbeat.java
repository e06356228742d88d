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
import java.util.concurrent.atomic.AtomicInteger;
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
    /** A create may still come late when the first look is over. */
    private static final int LOOKS = 2;

    private static final int MANY = 2000;

    private final ZkPaths paths;
    private final Map<HolderId, Contender> contenders;
    private final HolderId client = HolderId.random();
    private final LockClock clock;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicInteger looksDue = new AtomicInteger();
    private volatile boolean stopped;

    Heartbeat(ZkPaths paths, Map<HolderId, Contender> contenders, LockClock clock) {
        this.paths = paths;
        this.contenders = contenders;
        this.clock = clock;
    }

    /** Begins to look after a session; ends with it. */
    void start(ZkSession session) {
        clock.schedule(session.timeout().toNanos() / 4, () -> {
            if (!stopped && !session.isEnded()) {
                start(session);
                beat(session);
            }
        });
    }

    void stop() {
        stopped = true;
    }

    /** Something may be left behind: looks for it, with no contender, too, until it has looked in full. */
    void suspect() {
        looksDue.set(LOOKS);
    }

    /** At once, out of turn: after an outage validity may be about to end. */
    void beat(ZkSession session) {
        boolean idle = contenders.isEmpty() && looksDue.get() == 0;
        if (idle || stopped || !session.isConnected() || !busy.compareAndSet(false, true)) {
            return;
        }
        write(session).thenCompose(written -> sweep(session)).whenComplete((done, failure) -> {
            busy.set(false);
            if (failure == null) {
                looksDue.updateAndGet(due -> Math.max(0, due - 1));
            } else {
                LOG.debug("heartbeat failed: {}", failure.getMessage());
            }
        });
    }

    private CompletableFuture<Boolean> write(ZkSession session) {
        String node = paths.heartbeat(client);
        return session.set(node, NOTHING, -1)
                .thenApply(stat -> true)
                .exceptionallyCompose(ZkErrors.instead(
                        Code.NONODE,
                        () -> Parents.create(session, node, started(), CreateMode.EPHEMERAL)
                                .thenApply(created -> true)));
    }

    private static byte[] started() {
        return Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
    }

    private CompletableFuture<Void> sweep(ZkSession session) {
        Map<Contender, Place> expected = new HashMap<>();
        contenders.values().forEach(contender -> {
            Place place = contender.place();
            if (place != null && place.session().equals(session)) {
                expected.put(contender, place);
            }
        });
        return standing(session).thenAccept(found -> compare(session, expected, found));
    }

    /** In pieces if there are many: ZooKeeper cuts a connection that is to carry more than a megabyte at once. */
    private CompletableFuture<Set<String>> standing(ZkSession session) {
        List<String> parts = contenders.size() < MANY ? List.of(paths.locks()) : paths.parts();
        CompletableFuture<Set<String>> all = CompletableFuture.completedFuture(new HashSet<>());
        for (String part : parts) {
            all = all.thenCombine(session.ephemerals(part), (found, more) -> {
                found.addAll(more);
                return found;
            });
        }
        return all;
    }

    private void compare(ZkSession session, Map<Contender, Place> expected, Set<String> standing) {
        expected.forEach((contender, place) -> {
            if (!standing.contains(place.path()) && contenders.containsValue(contender)) {
                LOG.warn("znode {} has gone", place.path());
                if (contender.vanish(place, LossReason.NOT_HELD)) {
                    contenders.values().remove(contender);
                }
            }
        });
        for (String path : standing) {
            if (ZkPaths.isContender(ZkPaths.child(path)) && isUnclaimed(path)) {
                LOG.info("znode {}, which nobody claims, is deleted", path);
                session.delete(path);
            }
        }
    }

    /** Also a second node of one holder is: a create that was taken for lost has come late. */
    private boolean isUnclaimed(String path) {
        Contender contender = contenders.get(ZkPaths.holderOf(ZkPaths.child(path)));
        if (contender == null) {
            return true;
        }
        Place place = contender.place();
        return place != null && !place.path().equals(path);
    }
}
