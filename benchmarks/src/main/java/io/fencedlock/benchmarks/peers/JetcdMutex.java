package io.fencedlock.benchmarks.peers;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.lock.LockResponse;
import io.fencedlock.HolderId;
import io.fencedlock.LockOptions;
import io.fencedlock.LossReason;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/** jetcd's lock on a name. A try is a wait that is given up; one without a wait is given {@link #TRY}, since jetcd has no try. */
final class JetcdMutex implements PeerMutex {

    private static final Duration TRY = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofDays(1);

    /** Gets the etcd lease that the lock lives on. */
    interface Leases {
        JetcdLease get(Duration limit) throws Exception;
    }

    private final JetcdPeerClient client;
    private final ByteSequence name;
    private final LockOptions options;
    private final Leases leases;

    JetcdMutex(JetcdPeerClient client, String name, LockOptions options, Leases leases) {
        this.client = client;
        this.name = JetcdPeerClient.bytes(name);
        this.options = options;
        this.leases = leases;
    }

    @Override
    public PeerHold acquire() throws Exception {
        return tryFor(LONG).orElseThrow();
    }

    @Override
    public Optional<PeerHold> tryAcquire(Duration wait) throws Exception {
        if (wait.isNegative()) {
            throw new UnsupportedOperationException("it has no try");
        }
        return tryFor(wait.compareTo(TRY) < 0 ? TRY : wait);
    }

    private Optional<PeerHold> tryFor(Duration wait) throws Exception {
        JetcdLease lease = leases.get(wait);
        CompletableFuture<LockResponse> asked = client.jetcd().getLockClient().lock(name, lease.id());
        try {
            return Optional.of(new Hold(lease, JetcdPeerClient.get(asked, wait)));
        } catch (TimeoutException e) {
            giveUp(asked, lease);
            return Optional.empty();
        } catch (Exception e) {
            giveUp(asked, lease);
            throw e;
        }
    }

    private static void giveUp(CompletableFuture<LockResponse> asked, JetcdLease lease) {
        asked.cancel(true);
        PeerLease.inThread(lease::end);
    }

    @Override
    public CompletableFuture<PeerHold> acquireAsync() {
        CompletableFuture<PeerHold> answer = new CompletableFuture<>();
        JetcdLease lease;
        try {
            lease = leases.get(client.command());
        } catch (Exception e) {
            answer.completeExceptionally(e);
            return answer;
        }
        CompletableFuture<LockResponse> asked = client.jetcd().getLockClient().lock(name, lease.id());
        asked.whenComplete((response, thrown) -> {
            if (thrown != null) {
                answer.completeExceptionally(thrown);
            } else {
                answer.complete(new Hold(lease, response));
            }
        });
        answer.whenComplete((hold, thrown) -> {
            if (thrown instanceof CancellationException) {
                giveUp(asked, lease);
            }
        });
        return answer;
    }

    private final class Hold implements PeerHold {

        private final JetcdLease lease;
        private final LockResponse response;

        Hold(JetcdLease lease, LockResponse response) {
            this.lease = lease;
            this.response = response;
            if (!options.renewed()) {
                lease.endRenewal();
            }
        }

        @Override
        public long token() {
            return response.getHeader().getRevision();
        }

        @Override
        public HolderId holder() {
            return JetcdPeerClient.holder(lease.id());
        }

        @Override
        public Duration leaseTime() {
            return options.lease();
        }

        @Override
        public Duration remaining() throws Exception {
            return Duration.ofSeconds(Math.max(0, lease.left()));
        }

        @Override
        public boolean isHeld() throws Exception {
            return lease.left() > 0;
        }

        @Override
        public boolean renew() throws Exception {
            return lease.renew();
        }

        /** Also for a caller that was interrupted: jetcd's futures do not care. */
        @Override
        public Release release() throws Exception {
            boolean interrupted = Thread.interrupted();
            try {
                JetcdPeerClient.get(client.jetcd().getLockClient().unlock(response.getKey()), client.command());
                return lease.end() ? Release.RELEASED : Release.NOT_HELD;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public CompletionStage<LossReason> lost() {
            if (!options.renewed()) {
                throw new UnsupportedOperationException("it tells of the end of leases that it keeps alive only");
            }
            return lease.lost();
        }
    }
}
