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
     * A node that was taken over.
     *
     * @param base what it says of the base
     */
    record Adopted(Place place, long base) {}

    /** Takes the node over. */
    CompletableFuture<Optional<Adopted>> on(ZkSession session) {
        String stripe = paths.stripe(name);
        return nodes(session).thenCompose(mine -> {
            mine.stream().skip(1).forEach(extra -> session.delete(stripe + "/" + extra));
            return mine.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.<Adopted>empty())
                    : take(session, stripe + "/" + mine.get(0));
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

    /** Checked before it is read: that goes through the leader, and so proves that it still knows our session. */
    private CompletableFuture<Optional<Adopted>> take(ZkSession session, String path) {
        CompletableFuture<Void> checked = session.check(path);
        return session.read(path)
                .thenCombine(checked, (found, stands) -> found)
                .thenCompose(found -> found.stat().getEphemeralOwner() == session.id()
                        ? CompletableFuture.completedFuture(Optional.of(new Adopted(
                                new Place(session, path, found.stat().getCzxid()),
                                NodeData.parse(found.text()).base())))
                        : session.delete(path).thenApply(deleted -> Optional.<Adopted>empty()))
                .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Optional.<Adopted>empty()));
    }
}
