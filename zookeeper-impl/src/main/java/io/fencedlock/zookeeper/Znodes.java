package io.fencedlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The requests of fences and guards on one session, whoever it belongs to. Thread-safe; never blocks.
 *
 * @param acl of the nodes that the fence makes
 * @param wanted whether somebody still waits for what is asked: until then those who were overtaken ask again
 */
record Znodes(ZooKeeper handle, List<ACL> acl, AtomicBoolean wanted) {

    /** A node's data and version. */
    record Read(String path, String text, Stat stat) {}

    /** One operation of several failed, and so none was done. */
    static final class Failed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int index;

        Failed(int index, KeeperException cause) {
            super(cause.getMessage(), cause, false, false);
            this.index = index;
        }

        /** Which of them, from 0. */
        int index() {
            return index;
        }
    }

    CompletableFuture<Read> read(String path) {
        CompletableFuture<Read> answer = new CompletableFuture<>();
        handle.getData(
                path,
                false,
                (code, asked, context, data, stat) -> {
                    if (code == Code.OK.intValue()) {
                        String text = data == null ? "" : new String(data, StandardCharsets.UTF_8);
                        answer.complete(new Read(path, text, stat));
                    } else {
                        answer.completeExceptionally(KeeperException.create(Code.get(code), path));
                    }
                },
                null);
        return answer;
    }

    CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        handle.getChildren(
                path,
                false,
                (code, asked, context, children) -> {
                    if (code == Code.OK.intValue()) {
                        answer.complete(children);
                    } else {
                        answer.completeExceptionally(KeeperException.create(Code.get(code), path));
                    }
                },
                null);
        return answer;
    }

    /** Later reads of this session see what any session has written before. */
    CompletableFuture<Znodes> synced(String path) {
        CompletableFuture<Znodes> answer = new CompletableFuture<>();
        handle.sync(
                path,
                (code, asked, context) -> {
                    if (code == Code.OK.intValue()) {
                        answer.complete(this);
                    } else {
                        answer.completeExceptionally(KeeperException.create(Code.get(code), path));
                    }
                },
                null);
        return answer;
    }

    /** All or none; fails with {@link Failed} if one of them could not be done. */
    CompletableFuture<Boolean> multi(List<Op> operations) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        handle.multi(
                operations,
                (code, asked, context, results) -> {
                    if (code == Code.OK.intValue()) {
                        answer.complete(true);
                    } else {
                        answer.completeExceptionally(failure(code, operations, results));
                    }
                },
                null);
        return answer;
    }

    private static Exception failure(int code, List<Op> operations, @Nullable List<OpResult> results) {
        for (int i = 0; results != null && i < results.size(); i++) {
            if (results.get(i) instanceof ErrorResult error && error.getErr() != Code.OK.intValue()) {
                String path = operations.get(i).getPath();
                return new Failed(i, KeeperException.create(Code.get(error.getErr()), path));
            }
        }
        return KeeperException.create(Code.get(code));
    }

    Op create(String path, byte[] data) {
        return Op.create(path, data, acl, CreateMode.PERSISTENT);
    }

    /** Creates a node that may be there already, and its parents. */
    CompletableFuture<Boolean> make(String path) {
        return multi(List.of(create(path, new byte[0])))
                .exceptionallyCompose(ZkErrors.answer(Code.NODEEXISTS, true))
                .exceptionallyCompose(ZkErrors.instead(
                        failure -> wanted.get() && ZkErrors.is(failure, Code.NONODE),
                        () -> make(ZkPaths.parent(path)).thenCompose(made -> make(path))));
    }

    /** The server's clock, in milliseconds: that of a node which is made and deleted for it. */
    CompletableFuture<Long> now(String path) {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        handle.create(
                path,
                new byte[0],
                acl,
                CreateMode.EPHEMERAL,
                (code, asked, context, created, stat) -> {
                    if (code == Code.OK.intValue()) {
                        answer.complete(stat.getCtime());
                    } else {
                        answer.completeExceptionally(KeeperException.create(Code.get(code), path));
                    }
                },
                null);
        return answer.thenCompose(time -> multi(List.of(Op.delete(path, -1))).thenApply(deleted -> time));
    }
}
