package io.fencedlock.zookeeper;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** Creates nodes whose parents may be missing; parents are permanent, so that none vanishes under a contender. */
final class Parents {

    private static final byte[] NOTHING = {};

    private Parents() {}

    /** Creates a node; where its parent is missing, the parent first. */
    static CompletableFuture<ZkSession.Created> create(
            ZkSession session, String path, byte[] data, CreateMode mode, Retry retry) {
        return session.create(path, data, mode)
                .exceptionallyCompose(retry.on(
                        Code.NONODE,
                        () -> make(session, ZkPaths.parent(path), retry)
                                .thenCompose(made -> create(session, path, data, mode, retry))));
    }

    static CompletableFuture<Boolean> make(ZkSession session, String path, Retry retry) {
        return create(session, path, NOTHING, CreateMode.PERSISTENT, retry)
                .thenApply(created -> true)
                .exceptionallyCompose(ZkErrors.answer(Code.NODEEXISTS, true));
    }
}
