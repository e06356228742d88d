package io.fencedlock.zookeeper;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A contender's eye on the node before its own: one watch at a time. Thread-safe. */
final class Lookout {

    private final Tokens tokens;
    private @Nullable PredecessorWatch watch;
    private boolean closed;

    Lookout(Tokens tokens) {
        this.tokens = tokens;
    }

    synchronized boolean saysWeAreFirst(ZkSession session) {
        return watch != null && watch.saysWeAreFirst(session);
    }

    /**
     * Watches a node, and nothing else any more.
     *
     * @param onHead whether the node is the head of the queue
     * @return news of the node, subscribed; fails if it is not there
     */
    CompletableFuture<CompletableFuture<Void>> on(ZkSession session, String before, boolean onHead) {
        PredecessorWatch old;
        PredecessorWatch set;
        synchronized (this) {
            if (watch != null && watch.isOn(session, before)) {
                return CompletableFuture.completedFuture(watch.changed());
            }
            old = watch;
            set = new PredecessorWatch(session, before, onHead, tokens);
            watch = set;
        }
        if (old != null) {
            old.remove();
        }
        return session.read(before, set)
                .whenComplete((found, failure) -> {
                    if (failure != null) {
                        set.fire();
                    } else if (isObsolete(set)) {
                        set.remove();
                    } else {
                        set.saw(NodeData.parse(found.text()));
                    }
                })
                .thenApply(found -> set.changed());
    }

    /** Whoever gave up meanwhile could not remove a watch that was only on its way. */
    private synchronized boolean isObsolete(PredecessorWatch set) {
        return closed || watch != set;
    }

    /** Watches nothing any more, and tells who waits to look again. */
    void lower() {
        PredecessorWatch old;
        synchronized (this) {
            old = watch;
            watch = null;
        }
        if (old != null) {
            old.fire();
            old.remove();
        }
    }

    /** Nobody waits any more. */
    void close() {
        PredecessorWatch old;
        synchronized (this) {
            closed = true;
            old = watch;
        }
        if (old != null) {
            old.remove();
        }
    }
}
