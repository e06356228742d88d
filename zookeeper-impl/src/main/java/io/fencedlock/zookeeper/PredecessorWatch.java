package io.fencedlock.zookeeper;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/** A watch on the node before a contender's. If that one was the head of the queue, its deletion says that the contender is the head now. */
final class PredecessorWatch implements Watcher {

    private final ZkSession session;
    private final String path;
    private final boolean onHead;
    private final CompletableFuture<Void> changed = new CompletableFuture<>();
    private volatile boolean deleted;

    PredecessorWatch(ZkSession session, String path, boolean onHead) {
        this.session = session;
        this.path = path;
        this.onHead = onHead;
    }

    @Override
    public void process(WatchedEvent event) {
        deleted = event.getType() == Event.EventType.NodeDeleted;
        changed.complete(null);
    }

    /** Completes when something happened to the node, or to the connection. */
    CompletableFuture<Void> changed() {
        return changed;
    }

    boolean isOn(ZkSession asked, String before) {
        return session.equals(asked) && path.equals(before) && !changed.isDone();
    }

    boolean saysWeAreFirst(ZkSession asked) {
        return deleted && onHead && session.equals(asked);
    }

    void remove() {
        if (!changed.isDone()) {
            session.removeWatch(path, this);
        }
    }
}
