package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Grant;
import io.fencedlock.OutcomeUnknownException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The queue of a name: its entries in the order of their create revisions, the oldest with the lock.
 *
 * <p>An entry that is the oldest when it is put has the lock, in one transaction. Any other waits for the one before it to go, and then confirms in a
 * transaction that writes, so that no stale read and no ended etcd lease can give it the lock. Thread-safe.
 */
final class EtcdQueue {

    static final Duration RECHECK = Duration.ofSeconds(2);

    private final EtcdClient client;
    private final EtcdKeys keys;
    private final EtcdSessions sessions;
    private final EtcdWatch watch;
    private final Tokens tokens;

    EtcdQueue(EtcdClient client, EtcdKeys keys, EtcdSessions sessions, EtcdWatch watch, Tokens tokens) {
        this.client = client;
        this.keys = keys;
        this.sessions = sessions;
        this.watch = watch;
        this.tokens = tokens;
    }

    /** Asks once more for a contender. */
    CompletableFuture<Attempt> ask(Contender contender, AcquireRequest request) {
        boolean hinted = contender.hinted();
        stopWatching(contender);
        return tokens.lifted()
                .thenCombine(sessions.forContender(contender, request.lease()), (lifted, session) -> session)
                .thenCompose(session -> {
                    Ask ask = new Ask(contender, request, session);
                    if (contender.createRevision() == 0) {
                        return ask.enter();
                    }
                    return hinted ? ask.confirm() : ask.look();
                });
    }

    void stopWatching(Contender contender) {
        Hint hint = contender.waitsBy(null);
        if (hint != null) {
            watch.cancel(hint);
        }
    }

    /** One ask of one contender on one session. */
    private final class Ask {

        private final Contender contender;
        private final AcquireRequest request;
        private final EtcdSession session;
        private final ByteString own;
        private final ByteString queue;

        private Ask(Contender contender, AcquireRequest request, EtcdSession session) {
            this.contender = contender;
            this.request = request;
            this.session = session;
            own = contender.key();
            queue = keys.queue(contender.name());
        }

        /**
         * Puts the entry, unless it is there. A contender that does not wait puts it only where there is no other: a busy lock costs it one request
         * and leaves nothing.
         */
        private CompletableFuture<Attempt> enter() {
            TxnRequest.Builder txn = TxnRequest.newBuilder()
                    .addCompare(request.waits() ? Ops.createdAt(own, 0) : Ops.noneIn(queue))
                    .addSuccess(Ops.put(own, EntryValue.of(contender.name(), contender.holder()), session.etcdLease()))
                    .addSuccess(Ops.get(keys.base()))
                    .addFailure(Ops.get(own));
            if (request.waits()) {
                txn.addSuccess(Ops.newestTwo(queue));
            }
            return send(txn).thenCompose(this::entered);
        }

        private CompletableFuture<Attempt> entered(TxnResponse answer) {
            long revision = answer.getHeader().getRevision();
            if (!answer.getSucceeded()) {
                RangeResponse found = range(answer, 0);
                return found.getKvsCount() == 0 ? held() : adopt(found.getKvs(0));
            }
            contender.entered(revision);
            if (request.waits() && range(answer, 2).getKvsCount() > 1) {
                RangeResponse newest = range(answer, 2);
                return waitFor(newest.getKvs(1), revision, newest.getCount());
            }
            return grant(revision, range(answer, 1));
        }

        /** An entry of an earlier request, whose answer was lost; on an earlier session it is as good as gone. */
        private CompletableFuture<Attempt> adopt(KeyValue entry) {
            if (entry.getLease() == session.etcdLease()) {
                contender.entered(entry.getCreateRevision());
                return confirm();
            }
            return send(delete(entry.getCreateRevision())).thenCompose(gone -> enter());
        }

        /** Takes the lock if the entry is there and no older one is, in one write. */
        private CompletableFuture<Attempt> confirm() {
            long created = contender.createRevision();
            TxnRequest.Builder txn = TxnRequest.newBuilder()
                    .addCompare(Ops.createdAt(own, created))
                    .addCompare(Ops.noneBefore(queue, created))
                    .addSuccess(Ops.put(own, EntryValue.of(contender.name(), contender.holder()), session.etcdLease()))
                    .addSuccess(Ops.get(keys.base()))
                    .addFailure(Ops.get(own))
                    .addFailure(Ops.twoBefore(queue, created));
            return send(txn)
                    .thenCompose(answer -> answer.getSucceeded()
                            ? grant(created, answer, range(answer, 1))
                            : stillWaiting(answer, created));
        }

        /** Looks where the entry stands, without a write: nothing was heard, so most likely nothing has changed. */
        private CompletableFuture<Attempt> look() {
            long created = contender.createRevision();
            TxnRequest.Builder txn =
                    TxnRequest.newBuilder().addSuccess(Ops.get(own)).addSuccess(Ops.twoBefore(queue, created));
            return send(txn).thenCompose(answer -> {
                boolean first = range(answer, 1).getKvsCount() == 0;
                return first && stands(range(answer, 0), created) ? confirm() : stillWaiting(answer, created);
            });
        }

        private CompletableFuture<Attempt> stillWaiting(TxnResponse answer, long created) {
            RangeResponse before = range(answer, 1);
            if (!stands(range(answer, 0), created)) {
                contender.entered(0);
                return enter();
            }
            if (!request.waits()) {
                return send(delete(created)).thenCompose(gone -> held());
            }
            if (before.getKvsCount() == 0) {
                return confirm();
            }
            return waitFor(before.getKvs(0), answer.getHeader().getRevision(), before.getCount());
        }

        private boolean stands(RangeResponse found, long created) {
            return found.getKvsCount() == 1 && found.getKvs(0).getCreateRevision() == created;
        }

        private TxnRequest.Builder delete(long created) {
            return TxnRequest.newBuilder()
                    .addCompare(Ops.createdAt(own, created))
                    .addSuccess(Ops.delete(own));
        }

        private CompletableFuture<Attempt> waitFor(KeyValue before, long seen, long length) {
            Hint hint = watch.await(queue, before.getKey(), seen, length);
            contender.waitsBy(hint);
            if (!contender.wanted()) {
                stopWatching(contender);
            }
            // Spread, so that waiters that lost their stream together do not ask together.
            long millis = ThreadLocalRandom.current().nextLong(RECHECK.toMillis() * 3 / 4, RECHECK.toMillis());
            return CompletableFuture.completedFuture(new Attempt.Held(Duration.ofMillis(millis), hint.heard()));
        }

        private CompletableFuture<Attempt> held() {
            contender.leaves();
            return CompletableFuture.completedFuture(new Attempt.Held(RECHECK, new CompletableFuture<>()));
        }

        private CompletableFuture<Attempt> grant(long revision, RangeResponse base) {
            return tokens.token(base, revision, revision).thenApply(token -> granted(token, revision, revision));
        }

        private CompletableFuture<Attempt> grant(long created, TxnResponse confirmed, RangeResponse base) {
            long revision = confirmed.getHeader().getRevision();
            return tokens.token(base, created, revision).thenApply(token -> granted(token, created, revision));
        }

        private Attempt granted(long token, long created, long revision) {
            if (session.isOver()) {
                throw new OutcomeUnknownException(
                        "the etcd lease ended while lock " + contender.name() + " was granted", null);
            }
            Grant grant = new Grant(
                    contender.name(),
                    contender.holder(),
                    token,
                    sessions.granted(session, request.lease()),
                    new EtcdRef(own, created, session.etcdLease()));
            Attempt.Granted granted = new Attempt.Granted(grant, new EntryLiveness(session, contender));
            contender.granted(granted, revision);
            return granted;
        }

        /** Where the server does not know the etcd lease, nothing was written, and the session has ended. */
        private CompletableFuture<TxnResponse> send(TxnRequest.Builder txn) {
            return client.txn(txn)
                    .handle((answer, failure) -> {
                        if (failure == null) {
                            return CompletableFuture.completedFuture(answer);
                        }
                        if (EtcdErrors.leaseGone(failure)) {
                            session.end();
                            return CompletableFuture.<TxnResponse>failedFuture(
                                    new BackendUnavailableException("the etcd lease has ended", failure));
                        }
                        return CompletableFuture.<TxnResponse>failedFuture(failure);
                    })
                    .thenCompose(done -> done);
        }
    }

    private static RangeResponse range(TxnResponse answer, int index) {
        return answer.getResponses(index).getResponseRange();
    }
}
