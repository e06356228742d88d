package io.fencedlock.zookeeper;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * A watch on the node before a contender's. The contender is the head of the queue, and need not look, in two cases: the node was the head when the
 * watch was set, and was deleted; or it was signed, which only a holder's release does, and so as the head, in the step that deletes it. Any other
 * news may be of a waiter that gave up.
 *
 * <p>The only other write to a node is of a head that finds that the base has grown since: it is told from a release by the base, of whose change this
 * session would have heard before. Behind a lost connection the server tells the last news alone, and without a zxid: that is no release.
 * Thread-safe.
 */
final class PredecessorWatch implements Watcher {

    private final ZkSession session;
    private final String path;
    private final boolean onHead;
    private final Tokens tokens;
    /** What the node said of the base when the watch was set. */
    private OptionalLong base = OptionalLong.empty();

    private CompletableFuture<Void> hint = new CompletableFuture<>();
    private boolean fired;
    /** Whether the server has used the watch up; news of the connection do not. */
    private boolean spent;

    private boolean deleted;
    private boolean released;

    PredecessorWatch(ZkSession session, String path, boolean onHead, Tokens tokens) {
        this.session = session;
        this.path = path;
        this.onHead = onHead;
        this.tokens = tokens;
    }

    /** The node as it was when the watch was set. */
    synchronized void saw(NodeData data) {
        base = OptionalLong.of(data.base());
    }

    @Override
    public void process(WatchedEvent event) {
        synchronized (this) {
            spent |= event.getType() != Event.EventType.None;
            deleted |= event.getType() == Event.EventType.NodeDeleted;
            released |= event.getType() == Event.EventType.NodeDataChanged
                    && event.getZxid() != WatchedEvent.NO_ZXID
                    && base.isPresent()
                    && tokens.baseIs(session, base.getAsLong());
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
        return (released || (deleted && onHead)) && session.equals(asked);
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
