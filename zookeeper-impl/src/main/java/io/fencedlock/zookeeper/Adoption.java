package io.fencedlock.zookeeper;

import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Finds the node of a create whose reply was lost. The lowest node with the holder's id is taken over if it is on the live session; all others
 * with that id are deleted.
 */
record Adoption(ZkPaths paths, LockName name, HolderId holder) {

    /**
     * Takes the node over.
     *
     * @param base what the node is to say of the base
     */
    CompletableFuture<Optional<Place>> on(ZkSession session, long base) {
        String stripe = paths.stripe(name);
        return nodes(session).thenCompose(mine -> {
            mine.stream().skip(1).forEach(extra -> session.delete(stripe + "/" + extra));
            return mine.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.<Place>empty())
                    : take(session, stripe + "/" + mine.get(0), base);
        });
    }

    /** Every node of the holder that stands, in the order of arrival; after a sync, as the server that answers may lag behind. */
    CompletableFuture<List<String>> nodes(ZkSession session) {
        String stripe = paths.stripe(name);
        return session.sync(stripe)
                .thenCompose(synced -> session.children(stripe))
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, List.of()))
                .thenCompose(children -> Rivals.inOrder(session, name, stripe, mine(children)));
    }

    private List<String> mine(List<String> children) {
        return children.stream()
                .filter(child ->
                        ZkPaths.isContender(child) && ZkPaths.holderOf(child).equals(holder))
                .toList();
    }

    /** By a write, not a read: its acknowledgement tells whose the node is, and that the leader still knows our session. */
    private CompletableFuture<Optional<Place>> take(ZkSession session, String path, long base) {
        return session.set(path, NodeData.of(name, base), -1)
                .thenCompose(stat -> stat.getEphemeralOwner() == session.id()
                        ? CompletableFuture.completedFuture(Optional.of(new Place(session, path, stat.getCzxid())))
                        : session.delete(path).thenApply(deleted -> Optional.<Place>empty()))
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Optional.<Place>empty()));
    }
}
