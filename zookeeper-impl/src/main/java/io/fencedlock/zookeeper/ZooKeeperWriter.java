package io.fencedlock.zookeeper;

import java.util.Arrays;
import java.util.List;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.Op;

/**
 * Writes that are checked in the same {@code multi}: by a fence ({@link ZooKeeperFence#writer}) or by ownership of a lock ({@link ZooKeeperGuard#writer}),
 * which say what is thrown when the check refuses. Nothing is written then.
 *
 * <p>Immutable, thread-safe, cheap to make. Methods block for at most the command timeout and throw {@link io.fencedlock.BackendUnavailableException}
 * when nothing was changed, {@link io.fencedlock.OutcomeUnknownException} when it may have been, and {@link IllegalStateException}, with the {@link
 * org.apache.zookeeper.KeeperException} as its cause's cause, when one of your operations could not be done: nothing was changed then, the mark
 * included. Nothing may be null.
 */
public final class ZooKeeperWriter {

    private final Gate gate;

    /** The check. */
    interface Gate {

        /** Makes changes, all or none, if the check admits them. */
        void make(List<Op> operations);
    }

    ZooKeeperWriter(Gate gate) {
        this.gate = gate;
    }

    /** Only the check. */
    void nothing() {
        gate.make(List.of());
    }

    /**
     * Commits operations of yours, all or none.
     *
     * @param operations of ZooKeeper, with whole paths
     */
    public void commit(Op... operations) {
        gate.make(List.of(operations));
    }

    /**
     * Commits operations of yours, all or none.
     *
     * @param operations of Curator, from {@code curator.transactionOp()}
     */
    public void commit(CuratorOp... operations) {
        gate.make(Arrays.stream(operations).map(CuratorOp::get).toList());
    }
}
