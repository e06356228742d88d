package io.fencedlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/** Changes a cell together with other nodes, on the condition that the cell is still as it was read. */
record Cells(Znodes znodes) {

    /** Repeated by whoever was overtaken and is still waited for, so that somebody always gets on. What the change throws ends it. */
    CompletableFuture<Boolean> change(String path, UnaryOperator<Cell> change, List<Op> operations) {
        return znodes.read(path)
                .thenCompose(found -> commit(
                        Op.setData(
                                path,
                                change.apply(Cell.parse(found.text())).bytes(),
                                found.stat().getVersion()),
                        operations))
                .exceptionallyCompose(ZkErrors.instead(
                        failure -> mayGoOn(failure, Code.BADVERSION), () -> change(path, change, operations)))
                .exceptionallyCompose(ZkErrors.instead(
                        failure -> mayGoOn(failure, Code.NONODE), () -> begin(path, change, operations)));
    }

    private CompletableFuture<Boolean> begin(String path, UnaryOperator<Cell> change, List<Op> operations) {
        return commit(znodes.create(path, change.apply(Cell.EMPTY).bytes()), operations)
                .exceptionallyCompose(ZkErrors.instead(
                        failure -> mayGoOn(failure, Code.NODEEXISTS), () -> change(path, change, operations)))
                .exceptionallyCompose(ZkErrors.instead(
                        failure -> mayGoOn(failure, Code.NONODE),
                        () -> znodes.make(ZkPaths.parent(path)).thenCompose(made -> begin(path, change, operations))));
    }

    private CompletableFuture<Boolean> commit(Op cell, List<Op> operations) {
        List<Op> all = new ArrayList<>(List.of(cell));
        all.addAll(operations);
        return znodes.multi(all);
    }

    private boolean mayGoOn(Throwable failure, Code code) {
        return znodes.wanted().get() && isOfFirst(failure, code);
    }

    /** Not of one of the user's operations. */
    static boolean isOfFirst(Throwable failure, Code code) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof Znodes.Failed)) {
            cause = cause.getCause();
        }
        boolean ofAnother = cause instanceof Znodes.Failed failed && failed.index() > 0;
        return !ofAnother && ZkErrors.is(failure, code);
    }
}
