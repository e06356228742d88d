package io.fencedlock.benchmarks.peers;

import io.fencedlock.HolderId;
import io.fencedlock.LossReason;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A mutex that was acquired. */
final class CuratorHold implements PeerHold {

    private static final String PROTECTED = "_c_";
    private static final int SEQUENCE_DIGITS = 10;

    private final CuratorPeerClient client;
    private final PathMutex mutex;
    private final String node;
    private final Callable<Release> release;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

    /** To be made by the owner's thread. */
    CuratorHold(CuratorPeerClient client, PathMutex mutex, Callable<Release> release) {
        this.client = client;
        this.mutex = mutex;
        this.release = release;
        String path = mutex.path();
        node = path.substring(path.lastIndexOf('/') + 1);
        client.holds(this);
    }

    static long sequence(String node) {
        return Integer.parseInt(node.substring(node.length() - SEQUENCE_DIGITS));
    }

    /** The id by which Curator protects its creation. */
    static HolderId holder(String node) {
        return new HolderId(
                node.substring(PROTECTED.length(), PROTECTED.length() + 36).replace("-", ""));
    }

    void lose() {
        lost.complete(LossReason.SESSION_ENDED);
    }

    @Override
    public long token() {
        return sequence(node) + 1;
    }

    @Override
    public HolderId holder() {
        return holder(node);
    }

    @Override
    public Duration leaseTime() {
        return client.session();
    }

    @Override
    public Duration remaining() {
        throw new UnsupportedOperationException("it does not tell how long a lock is certainly held");
    }

    @Override
    public boolean isHeld() {
        return mutex.isAcquiredInThisProcess() && !client.suspended() && !lost.isDone();
    }

    @Override
    public boolean renew() {
        return isHeld(); // the session's pings renew
    }

    @Override
    public Release release() throws Exception {
        try {
            return release.call();
        } finally {
            client.holdsNoMore(this);
        }
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return lost;
    }
}
