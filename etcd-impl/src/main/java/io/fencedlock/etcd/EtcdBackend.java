package io.fencedlock.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendProfile;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Locks on etcd; see {@link EtcdQueue} for how. Thread-safe. */
final class EtcdBackend implements FencedLockBackend {

    private final EtcdClient client;
    private final EtcdChannels channels;
    private final EtcdKeys keys;
    private final EtcdSessions sessions;
    private final EtcdQueue queue;
    private final Contenders contenders;
    private final Tokens tokens;
    private final BackendProfile profile;
    private volatile boolean closed;

    EtcdBackend(EtcdConnection connection, EtcdSettings settings) {
        client = connection.client();
        channels = connection.channels();
        keys = settings.keys();
        profile = settings.profile();
        EtcdWatch watch = new EtcdWatch(client);
        connection.whenMoved(watch::reset);
        contenders = new Contenders(client, keys);
        sessions = new EtcdSessions(
                client,
                settings.scope(),
                settings.sessionTime(),
                session -> {
                    contenders.sweep(session);
                    watch.prune();
                },
                contenders::ended);
        tokens = new Tokens(client, keys, settings.tokens());
        queue = new EtcdQueue(client, keys, sessions, watch, tokens);
        // Connects, and loads what the first acquisition needs, before there is one.
        client.range(RangeRequest.newBuilder().setKey(keys.base()));
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        if (closed) {
            return failedAsClosed();
        }
        Contender contender = contenders.of(request.name(), request.holder());
        Attempt.Granted known = contender.granted();
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<Attempt> answer = new CompletableFuture<>();
        if (!contender.asks(answer)) {
            answer.completeExceptionally(
                    new BackendUnavailableException("the acquisition was given up before it was sent", null));
            return answer;
        }
        queue.ask(contender, request).whenComplete((attempt, failure) -> {
            answered(contender, attempt, failure);
            if (failure == null) {
                answer.complete(attempt);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    private void answered(Contender contender, @Nullable Attempt attempt, @Nullable Throwable failure) {
        if (isUnknown(failure)) {
            contender.doubt();
        }
        boolean leftNothing = failure != null ? !contender.mayHaveEntry() : !contender.wanted();
        if (leftNothing && !(attempt instanceof Attempt.Granted)) {
            forget(contender);
        }
    }

    private void forget(Contender contender) {
        contenders.remove(contender);
        sessions.done(contender);
    }

    /** The entry's place in the queue is checked, not only its session: a renewal's success is no proof of holding. */
    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        EtcdRef ref = (EtcdRef) grant.ref();
        // A write, if it were needed: so the answer is never a stale read's.
        TxnRequest.Builder check = TxnRequest.newBuilder()
                .addCompare(Ops.createdAt(ref.key(), ref.createRevision()))
                .addFailure(Ops.delete(ref.key()));
        return client.txn(check)
                .thenApply(answer ->
                        answer.getSucceeded() ? new Renewal.Renewed(grant.leaseTime()) : new Renewal.NotHeld());
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        EtcdRef ref = (EtcdRef) grant.ref();
        Contender contender = contenders.find(grant.holder());
        if (contender == null) {
            return deleteEntry(ref);
        }
        boolean alone = contender.releases(ref.createRevision());
        CompletableFuture<Release> answer =
                alone ? client.delete(ref.key()).thenApply(gone -> release(gone.getDeleted() == 1)) : deleteEntry(ref);
        return answer.whenComplete((found, failure) -> {
            if (alone && !isUnknown(failure)) {
                contender.released();
            }
            forget(contender);
        });
    }

    private static boolean isUnknown(@Nullable Throwable failure) {
        return failure != null && EtcdErrors.unwrapped(failure) instanceof OutcomeUnknownException;
    }

    private static Release release(boolean deleted) {
        return deleted ? Release.RELEASED : Release.NOT_HELD;
    }

    private CompletableFuture<Release> deleteEntry(EtcdRef ref) {
        return client.txn(TxnRequest.newBuilder()
                        .addCompare(Ops.createdAt(ref.key(), ref.createRevision()))
                        .addSuccess(Ops.delete(ref.key())))
                .thenApply(answer -> release(answer.getSucceeded()));
    }

    /** A request on its way is waited for, since a deletion that overtook it would find nothing; what comes still later is swept. */
    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        Contender contender = contenders.find(holder);
        if (contender == null) {
            return CompletableFuture.completedFuture(null);
        }
        contender.leaves();
        queue.stopWatching(contender);
        return contender
                .lastRequest()
                .handle((answer, failure) -> true)
                .thenCompose(over -> contender.mayHaveEntry()
                        ? client.txn(takingBack(contender))
                        : CompletableFuture.completedFuture(null))
                .thenAccept(gone -> forget(contender));
    }

    /** Where the revision of its entry is not known, whatever stands at its key is deleted: nobody else uses the key then, now or later. */
    private static TxnRequest.Builder takingBack(Contender contender) {
        TxnRequest.Builder delete = TxnRequest.newBuilder().addSuccess(Ops.delete(contender.key()));
        return contender.isDoubtful()
                ? delete
                : delete.addCompare(Ops.createdAt(contender.key(), contender.createRevision()));
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return first(name).thenCompose(first -> {
            if (first.getKvsCount() == 0) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            KeyValue entry = first.getKvs(0);
            return client.timeToLive(entry.getLease(), false)
                    .handle((found, failure) -> Optional.ofNullable(found))
                    .thenApply(lease -> Optional.of(info(entry, first.getCount() - 1, lease)));
        });
    }

    /** Who is first in a queue, and how many there are. */
    private CompletableFuture<RangeResponse> first(LockName name) {
        return client.txn(TxnRequest.newBuilder().addSuccess(Ops.oldest(keys.queue(name))))
                .thenApply(answer -> answer.getResponses(0).getResponseRange());
    }

    private static HolderInfo info(KeyValue entry, long waiters, Optional<LeaseTimeToLiveResponse> etcdLease) {
        return new HolderInfo(
                EntryValue.holder(entry.getValue())
                        .orElseThrow(() -> new BackendUnavailableException(
                                "the value of key " + entry.getKey().toStringUtf8() + " names no holder", null)),
                EntryValue.token(entry),
                EntryValue.since(entry.getValue()),
                etcdLease.map(EtcdBackend::remaining),
                EntryValue.host(entry.getValue()),
                EntryValue.pid(entry.getValue()),
                OptionalInt.of((int) waiters));
    }

    /** etcd tells whole seconds, rounded down: up to one more may be left. */
    private static Duration remaining(LeaseTimeToLiveResponse found) {
        return found.getTTL() < 0
                ? Duration.ZERO
                : Duration.ofSeconds(Math.min(found.getTTL() + 1, found.getGrantedTTL()));
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return first(name).thenCompose(first -> {
            if (first.getKvsCount() == 0 || EntryValue.token(first.getKvs(0)) != token) {
                return CompletableFuture.completedFuture(Release.NOT_HELD);
            }
            KeyValue entry = first.getKvs(0);
            return deleteEntry(new EtcdRef(entry.getKey(), entry.getCreateRevision(), entry.getLease()));
        });
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return tokens.raise(floor);
    }

    @Override
    public BackendProfile profile() {
        return profile;
    }

    private static <T> CompletableFuture<T> failedAsClosed() {
        return CompletableFuture.failedFuture(new BackendUnavailableException("the etcd backend is closed", null));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        contenders.wakeAll();
        boolean interrupted = Thread.interrupted();
        try {
            sessions.close().get(client.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            // What the server did not confirm ends by its own time.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        channels.close();
    }
}
