package io.fencedlock.zookeeper;

import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** How a holder's node comes to stand in the queue: it is made or, when the reply of a create was lost, found and taken over. */
record Entrance(ZkSettings settings, Tokens tokens, LockName name, HolderId holder) {

    /**
     * A node that stands.
     *
     * @param base what the node says of the base
     * @param children all nodes of its stripe, listed later than it was made
     */
    record Entered(Place place, long base, CompletableFuture<List<String>> children) {}

    CompletableFuture<Entered> make(ZkSession session) {
        return tokens.base(session).thenCompose(base -> make(session, base, settings.retry()));
    }

    /** Create and list in one flight: requests of a session are answered in order, so the list has the own node. */
    private CompletableFuture<Entered> make(ZkSession session, long base, Retry retry) {
        CompletableFuture<ZkSession.Created> created = session.create(
                settings.paths().contender(name, holder), NodeData.of(name, base), CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<List<String>> children = session.children(stripe());
        return created.thenApply(node ->
                        new Entered(new Place(session, node.path(), node.stat().getCzxid()), base, children))
                .exceptionallyCompose(retry.on(
                        Code.NONODE,
                        () -> Parents.make(session, stripe(), retry)
                                .thenCompose(parents -> make(session, base, retry))));
    }

    /** Takes over the node that a lost create may have left; nothing if there is none on this session. */
    CompletableFuture<Optional<Entered>> find(ZkSession session) {
        return tokens.base(session)
                .thenCompose(base -> new Adoption(settings.paths(), name, holder)
                        .on(session, base)
                        .thenApply(found -> found.map(place -> new Entered(place, base, session.children(stripe())))));
    }

    private String stripe() {
        return settings.paths().stripe(name);
    }
}
