package io.fencedlock.benchmarks.peers;

import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.support.CloseableClient;
import io.fencedlock.LossReason;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** An etcd lease that jetcd keeps alive, and what jetcd tells of it. */
final class JetcdLease implements StreamObserver<LeaseKeepAliveResponse> {

    private final JetcdPeerClient client;
    private final long id;
    private final boolean own;
    private final CloseableClient renewal;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

    private JetcdLease(JetcdPeerClient client, long id, boolean own) {
        this.client = client;
        this.id = id;
        this.own = own;
        renewal = client.jetcd().getLeaseClient().keepAlive(id, this);
    }

    /** @param own whether it is revoked with the lock */
    static JetcdLease grant(JetcdPeerClient client, Duration time, boolean own, Duration limit) throws Exception {
        long seconds = Math.max(1, (time.toMillis() + 999) / 1000);
        long id = JetcdPeerClient.get(client.jetcd().getLeaseClient().grant(seconds), limit)
                .getID();
        return new JetcdLease(client, id, own);
    }

    long id() {
        return id;
    }

    CompletableFuture<LossReason> lost() {
        return lost;
    }

    /** From now on it lives for its time to live. */
    void endRenewal() {
        renewal.close();
    }

    /** Seconds left, by the server. */
    long left() throws Exception {
        return JetcdPeerClient.get(
                        client.jetcd().getLeaseClient().timeToLive(id, LeaseOption.DEFAULT), client.command())
                .getTTL();
    }

    /** Answers whether it was alive. */
    boolean renew() throws Exception {
        return found(client.jetcd().getLeaseClient().keepAliveOnce(id));
    }

    /** Answers whether it was alive; a shared one is left alone. */
    boolean end() throws Exception {
        if (!own) {
            return true;
        }
        renewal.close();
        return found(client.jetcd().getLeaseClient().revoke(id));
    }

    private boolean found(CompletableFuture<?> asked) throws Exception {
        try {
            JetcdPeerClient.get(asked, client.command());
            return true;
        } catch (ExecutionException e) {
            if (missing(e.getCause())) {
                return false;
            }
            throw e;
        }
    }

    /** jetcd has a code for it, and passes on etcd's words at times. */
    private static boolean missing(@Nullable Throwable thrown) {
        if (thrown == null) {
            return false;
        }
        boolean coded = thrown instanceof EtcdException etcd && etcd.getErrorCode() == ErrorCode.NOT_FOUND;
        return coded || String.valueOf(thrown.getMessage()).contains("lease not found") || missing(thrown.getCause());
    }

    @Override
    public void onNext(LeaseKeepAliveResponse answer) {
        // alive
    }

    /** Errors that pass come here, too; only this one means the end. */
    @Override
    public void onError(Throwable thrown) {
        if (missing(thrown)) {
            lost.complete(LossReason.SESSION_ENDED);
        }
    }

    @Override
    public void onCompleted() {
        lost.complete(LossReason.EXPIRED);
    }
}
