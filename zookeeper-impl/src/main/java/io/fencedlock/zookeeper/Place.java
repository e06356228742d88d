package io.fencedlock.zookeeper;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Where a contender's node stands.
 *
 * @param session on whose life the node depends
 * @param path the node
 * @param zxid the node's creation zxid
 */
record Place(ZkSession session, String path, long zxid) {

    /** Deletes the node, which may be gone already. */
    CompletableFuture<Boolean> clear() {
        return session.delete(path).thenApply(deleted -> true).exceptionallyCompose(ZkErrors.answer(Code.NONODE, true));
    }
}
