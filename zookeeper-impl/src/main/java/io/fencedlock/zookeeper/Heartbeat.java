package io.fencedlock.zookeeper;

import io.fencedlock.HolderId;
import io.fencedlock.LockClock;
import io.fencedlock.LossReason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
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
    /**
     * How long a request may be on its way after the client has given it up. TCP repeats what is not acknowledged for about 15 minutes (Linux: 924
     * s). What a paused server has acknowledged and not yet read comes when it goes on: either within a session time and a third, after which the driver ends the
     * session by itself and the server refuses its requests, or when the session has moved to another server, and it is refused for that.
     */
    private static final Duration LATE = Duration.ofMinutes(16);

    private static final int MANY = 2000;

    private final ZkSettings settings;
    private final ZkPaths paths;
    private final Map<HolderId, Contender> contenders;
    private final HolderId client = HolderId.random();
    private final LockClock clock;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile long suspiciousUntil;
    private volatile boolean stopped;
    /** The session on which the client's own node was made. */
    private volatile @Nullable ZkSession standsOn;

    Heartbeat(ZkSettings settings, Map<HolderId, Contender> contenders) {
        this.settings = settings;
        this.contenders = contenders;
        paths = settings.paths();
        clock = settings.clock();
        suspiciousUntil = clock.nanos();
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

    /** A node may come to stand that nobody knows of: looks for it each time, with no contender, too, as long as it may come. */
    void suspect() {
        suspiciousUntil = clock.nanos() + LATE.toNanos();
    }

    /** At once, out of turn: after an outage validity may be about to end. */
    void beat(ZkSession session) {
        boolean idle = contenders.isEmpty();
        boolean suspicious = clock.nanos() - suspiciousUntil < 0;
        if ((idle && !suspicious) || stopped || !session.isConnected() || !busy.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Long> written = idle ? CompletableFuture.completedFuture(0L) : write(session);
        written.thenCompose(zxid -> sweep(session)).whenComplete((done, failure) -> {
            busy.set(false);
            if (failure != null) {
                LOG.debug("heartbeat failed: {}", failure.getMessage());
            }
        });
    }

    /** Writes the client's own node; answers the write's zxid. */
    CompletableFuture<Long> write(ZkSession session) {
        return session.equals(standsOn)
                ? change(session).exceptionallyCompose(ZkErrors.instead(Code.NONODE, () -> make(session)))
                : make(session).exceptionallyCompose(ZkErrors.instead(Code.NODEEXISTS, () -> change(session)));
    }

    private CompletableFuture<Long> change(ZkSession session) {
        return session.set(paths.heartbeat(client), NOTHING, -1).thenApply(Stat::getMzxid);
    }

    private CompletableFuture<Long> make(ZkSession session) {
        return Parents.create(session, paths.heartbeat(client), started(), CreateMode.EPHEMERAL, settings.retry())
                .thenApply(created -> {
                    standsOn = session;
                    return created.stat().getCzxid();
                });
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
