package io.fencedlock.zookeeper;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * A watch on the node before a contender's. If that one was the head of the queue, its deletion says that the contender is the head now.
 * Thread-safe.
 */
final class PredecessorWatch implements Watcher {

    private final ZkSession session;
    private final String path;
    private final boolean onHead;
    private CompletableFuture<Void> hint = new CompletableFuture<>();
    private boolean fired;
    /** Whether the server has used the watch up; news of the connection do not. */
    private boolean spent;

    private boolean deleted;

    PredecessorWatch(ZkSession session, String path, boolean onHead) {
        this.session = session;
        this.path = path;
        this.onHead = onHead;
    }

    @Override
    public void process(WatchedEvent event) {
        synchronized (this) {
            spent |= event.getType() != Event.EventType.None;
            deleted |= event.getType() == Event.EventType.NodeDeleted;
        }
        fire();
    }

    /** Tells the one who waits to look again. */
    void fire() {
        CompletableFuture<Void> told;
        synchronized (this) {
            fired = true;
            told = hint;
        }
        told.complete(null);
    }

    /**
     * A hint that completes when something happened to the node, or to the connection. Each call replaces the last one's, so that a long wait, in which the
     * engine looks again and again, piles nothing up.
     */
    synchronized CompletableFuture<Void> changed() {
        if (!fired) {
            hint = new CompletableFuture<>();
        }
        return hint;
    }

    synchronized boolean isOn(ZkSession asked, String before) {
        return session.equals(asked) && path.equals(before) && !fired;
    }

    synchronized boolean saysWeAreFirst(ZkSession asked) {
        return deleted && onHead && session.equals(asked);
    }

    void remove() {
        boolean set;
        synchronized (this) {
            set = !spent;
        }
        if (set) {
            session.removeWatch(path, this);
        }
    }
}
