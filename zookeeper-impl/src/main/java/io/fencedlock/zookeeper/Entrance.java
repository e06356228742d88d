package io.fencedlock.zookeeper;

import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** How a holder's node comes to stand in the queue: it is made or, when the reply of a create was lost, found and taken over. */
record Entrance(ZkSettings settings, Tokens tokens, LockName name, String stripe, HolderId holder) {

    /**
     * A node that stands.
     *
     * @param base what the node says of the base
     * @param children all nodes of its stripe when it was made, or later
     */
    record Entered(Place place, long base, CompletableFuture<List<String>> children) {}

    CompletableFuture<Entered> make(ZkSession session) {
        return tokens.likelyBase(session).thenCompose(base -> make(session, base, settings.retry()));
    }

    private CompletableFuture<Entered> make(ZkSession session, long base, Retry retry) {
        CompletableFuture<Entered> entered = session.isCrowded(stripe) ? listed(session, base) : counted(session, base);
        return entered.exceptionallyCompose(retry.on(
                Code.NONODE,
                () -> Parents.make(session, stripe, retry).thenCompose(parents -> make(session, base, retry))));
    }

    /** Create and list in one flight: requests of a session are answered in order, so the list has the own node. */
    private CompletableFuture<Entered> listed(ZkSession session, long base) {
        CompletableFuture<ZkSession.Created> created =
                session.create(path(), NodeData.of(name, base), CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<List<String>> children = session.children(stripe);
        return created.thenApply(
                node -> new Entered(new Place(session, node.path(), node.stat().getCzxid()), base, children));
    }

    /** One request that also tells how many nodes there are: where the own one is alone, nobody has to list. */
    private CompletableFuture<Entered> counted(ZkSession session, long base) {
        return session.createCounted(stripe, path(), NodeData.of(name, base)).thenApply(node -> {
            CompletableFuture<List<String>> children = node.siblings() == 1
                    ? CompletableFuture.completedFuture(List.of(ZkPaths.child(node.path())))
                    : session.children(stripe);
            return new Entered(new Place(session, node.path(), node.zxid()), base, children);
        });
    }

    private String path() {
        return ZkPaths.contender(stripe, name, holder);
    }

    /** Takes over the node that a lost create may have left; nothing if there is none on this session. */
    CompletableFuture<Optional<Entered>> find(ZkSession session) {
        return new Adoption(settings.paths(), name, holder)
                .on(session)
                .thenApply(
                        found -> found.map(node -> new Entered(node.place(), node.base(), session.children(stripe))));
    }
}
