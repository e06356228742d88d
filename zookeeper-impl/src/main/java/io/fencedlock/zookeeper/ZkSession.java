package io.fencedlock.zookeeper;

import io.fencedlock.LockClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper session: its requests, in the order they are sent, and until when it certainly lives.
 *
 * <p>Only acknowledged <em>writes</em> prove that the leader still knows the session: a follower that is cut off from the leader goes on answering
 * reads and pings. So validity is the moment before the last acknowledged write was sent, plus the session's time, less a quarter of it. Thread-safe; never blocks.
 */
final class ZkSession {

    private static final byte[] NO_DATA = {};

    private final ZooKeeper handle;
    private final LockClock clock;
    private final List<ACL> acl;
    private final long id;
    private final Duration timeout;
    private final AtomicLong validUntil;
    private final Set<String> crowded = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    ZkSession(ZooKeeper handle, LockClock clock, List<ACL> acl) {
        this.handle = handle;
        this.clock = clock;
        this.acl = acl;
        id = handle.getSessionId();
        timeout = Duration.ofMillis(handle.getSessionTimeout());
        validUntil = new AtomicLong(clock.nanos());
    }

    record Created(String path, Stat stat) {}

    record Read(String text, Stat stat) {}

    /**
     * A node that was made.
     *
     * @param zxid its creation zxid
     * @param siblings how many nodes its parent had then, with it
     */
    record Counted(String path, long zxid, int siblings) {}

    ZooKeeper handle() {
        return handle;
    }

    long id() {
        return id;
    }

    Duration timeout() {
        return timeout;
    }

    boolean isOn(ZooKeeper other) {
        return handle == other && id == other.getSessionId();
    }

    boolean isConnected() {
        return !ended && handle.getState().isConnected();
    }

    boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    long validUntilNanos() {
        return ended ? clock.nanos() : validUntil.get();
    }

    private void acknowledged(long sent) {
        long until = sent + timeout.toNanos() / 4 * 3;
        validUntil.accumulateAndGet(until, (old, now) -> now - old > 0 ? now : old);
    }

    CompletableFuture<Created> create(String path, byte[] data, CreateMode mode) {
        CompletableFuture<Created> answer = new CompletableFuture<>();
        long sent = clock.nanos();
        handle.create(
                path,
                data,
                acl,
                mode,
                (code, asked, context, created, stat) -> {
                    if (code == Code.OK.intValue()) {
                        acknowledged(sent);
                        answer.complete(new Created(created, stat));
                    } else {
                        fail(answer, code, asked);
                    }
                },
                null);
        return answer;
    }

    /**
     * Makes an ephemeral sequential node and writes its parent in one step. The write is for its answer, which has the parent's count of children as of then.
     *
     * @param path of the node, without its number
     */
    CompletableFuture<Counted> createCounted(String parent, String path, byte[] data) {
        CompletableFuture<Counted> answer = new CompletableFuture<>();
        long sent = clock.nanos();
        handle.multi(
                List.of(Op.create(path, data, acl, CreateMode.EPHEMERAL_SEQUENTIAL), Op.setData(parent, NO_DATA, -1)),
                (code, asked, context, results) -> {
                    if (code == Code.OK.intValue()) {
                        acknowledged(sent);
                        String made = ((OpResult.CreateResult) results.get(0)).getPath();
                        Stat stat = ((OpResult.SetDataResult) results.get(1)).getStat();
                        answer.complete(new Counted(made, stat.getMzxid(), stat.getNumChildren()));
                    } else {
                        fail(answer, code, path);
                    }
                },
                null);
        return answer;
    }

    /** Whether a parent had other nodes, too, when it was last looked at. */
    boolean isCrowded(String parent) {
        return crowded.contains(parent);
    }

    /** What was seen of a parent. */
    void noteCrowd(String parent, boolean others) {
        if (others) {
            crowded.add(parent);
        } else {
            crowded.remove(parent);
        }
    }

    CompletableFuture<Stat> set(String path, byte[] data, int version) {
        CompletableFuture<Stat> answer = new CompletableFuture<>();
        long sent = clock.nanos();
        handle.setData(
                path,
                data,
                version,
                (code, asked, context, stat) -> {
                    if (code == Code.OK.intValue()) {
                        acknowledged(sent);
                    }
                    settle(answer, code, asked, stat);
                },
                null);
        return answer;
    }

    CompletableFuture<Void> delete(String path) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        handle.delete(path, -1, (code, asked, context) -> settle(answer, code, asked, null), null);
        return answer;
    }

    /**
     * Writes a node and deletes it, in one step. Who has a watch on it is told of the first of both, the write: so that node went by this, and not by
     * a deletion alone.
     */
    CompletableFuture<Void> signAndDelete(String path) {
        return multi(path, Op.setData(path, NO_DATA, -1), Op.delete(path, -1));
    }

    /** Proves, as a write does, that the leader knows the session, and that a node stands, which stays as it is: no watch fires. */
    CompletableFuture<Void> check(String path) {
        long sent = clock.nanos();
        return multi(path, Op.check(path, -1)).thenRun(() -> acknowledged(sent));
    }

    private CompletableFuture<Void> multi(String path, Op... operations) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        handle.multi(List.of(operations), (code, asked, context, results) -> settle(answer, code, path, null), null);
        return answer;
    }

    CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        handle.getChildren(
                path, false, (code, asked, context, children) -> settle(answer, code, asked, children), null);
        return answer;
    }

    CompletableFuture<Read> read(String path) {
        return read(path, null);
    }

    CompletableFuture<Read> read(String path, @Nullable Watcher watcher) {
        CompletableFuture<Read> answer = new CompletableFuture<>();
        handle.getData(
                path,
                watcher,
                (code, asked, context, data, stat) ->
                        settle(answer, code, asked, code == Code.OK.intValue() ? new Read(text(data), stat) : null),
                null);
        return answer;
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    /** Takes the watcher from the client. The server's watch, one per session and node, stays until the node goes, and fires for nobody. */
    void removeWatch(String path, Watcher watcher) {
        handle.removeWatches(path, watcher, Watcher.WatcherType.Data, true, (code, asked, context) -> {}, null);
    }

    CompletableFuture<Void> sync(String path) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        handle.sync(path, (code, asked, context) -> settle(answer, code, asked, null), null);
        return answer;
    }

    /** The paths of all ephemeral nodes of this session under a path. */
    CompletableFuture<List<String>> ephemerals(String under) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        handle.getEphemerals(under, (code, context, paths) -> settle(answer, code, under, paths), null);
        return answer;
    }

    private <T> void settle(CompletableFuture<T> answer, int code, String path, @Nullable T value) {
        if (code == Code.OK.intValue()) {
            answer.complete(value);
        } else {
            fail(answer, code, path);
        }
    }

    private void fail(CompletableFuture<?> answer, int code, String path) {
        Code found = Code.get(code);
        if (found == Code.SESSIONEXPIRED) {
            end();
        }
        answer.completeExceptionally(KeeperException.create(found, path));
    }
}
