package io.fencedlock.benchmarks.peers;

import io.fencedlock.BackendRef;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.Grant;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A lock that another library has acquired, with our face. */
final class PeerLease implements Lease {

    private final PeerClient client;
    private final PeerHold hold;
    private final Grant grant;
    private volatile @Nullable Release first;

    PeerLease(PeerClient client, LockName name, PeerHold hold) {
        this.client = client;
        this.hold = hold;
        grant = new Grant(name, hold.holder(), asked(hold::token), hold.leaseTime(), BackendRef.NONE);
    }

    /** A question that the library may have to ask its server. */
    private <T> T asked(Callable<T> question) {
        try {
            return PeerLocks.call(client, question);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw client.translated(e);
        }
    }

    @Override
    public Grant grant() {
        return grant;
    }

    @Override
    public long token() {
        return asked(hold::token);
    }

    @Override
    public FenceMark mark() {
        return new FenceMark(token(), grant.holder());
    }

    @Override
    public Duration remaining() {
        return isValid() ? asked(hold::remaining) : Duration.ZERO;
    }

    /** A library that cannot say is not certain. */
    @Override
    public boolean isValid() {
        try {
            return first == null && asked(hold::isHeld);
        } catch (BackendUnavailableException | OutcomeUnknownException e) {
            return false;
        }
    }

    @Override
    public void ensureValid() {
        requireUnreleased();
        if (!isValid()) {
            throw new LeaseLostException(grant, LossReason.NOT_HELD);
        }
    }

    private void requireUnreleased() {
        if (first != null) {
            throw new IllegalStateException("the lease was released");
        }
    }

    @Override
    public void renew() throws InterruptedException {
        requireUnreleased();
        if (!PeerLocks.call(client, hold::renew)) {
            throw new LeaseLostException(grant, LossReason.NOT_HELD);
        }
    }

    @Override
    public CompletableFuture<Void> renewAsync() {
        return inThread(() -> {
            renew();
            return null;
        });
    }

    /** Every call goes to the library; the answer is that of the first one, as a lease has to give. */
    @Override
    public Release release() {
        Release answer;
        try {
            answer = hold.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer = Release.UNKNOWN;
        } catch (IllegalMonitorStateException e) {
            if (first == null) {
                throw e;
            }
            answer = Release.NOT_HELD;
        } catch (Exception e) {
            answer = Release.UNKNOWN; // it says that it failed, and not more
        }
        Release before = first;
        if (before == null) {
            first = answer;
            return answer;
        }
        return before;
    }

    @Override
    public CompletableFuture<Release> releaseAsync() {
        return inThread(this::release);
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return hold.lost();
    }

    @Override
    public void close() {
        try {
            if (first == null) {
                release();
            }
        } catch (RuntimeException e) {
            // closing says nothing
        }
    }

    /** For what the library can do in a blocking way only. */
    static <T extends @Nullable Object> CompletableFuture<T> inThread(Callable<T> call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return call.call();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                task -> {
                    Thread thread = new Thread(task, "peer-async");
                    thread.setDaemon(true);
                    thread.start();
                });
    }
}
