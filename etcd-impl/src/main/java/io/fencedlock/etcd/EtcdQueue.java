package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
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
import java.util.function.Function;

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
        return tokens.base()
                .thenCombine(
                        sessions.forContender(contender, request.lease()),
                        (base, session) -> new Ask(contender, request, session, base))
                .thenCompose(ask -> {
                    long created = contender.createRevision();
                    if (created == 0) {
                        return ask.enter();
                    }
                    return hinted ? ask.confirm(created) : ask.look(created);
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
        private final TokenBase base;
        private final ByteString own;
        private final ByteString queue;

        private Ask(Contender contender, AcquireRequest request, EtcdSession session, TokenBase base) {
            this.contender = contender;
            this.request = request;
            this.session = session;
            this.base = base;
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
                    .addSuccess(put())
                    .addFailure(Ops.get(keys.base()))
                    .addFailure(Ops.get(own));
            if (request.waits()) {
                txn.addSuccess(Ops.newestTwo(queue));
            }
            return sendOnBase(txn, this::entered, Ask::enter);
        }

        private CompletableFuture<Attempt> entered(TxnResponse answer) {
            long revision = answer.getHeader().getRevision();
            if (!answer.getSucceeded()) {
                RangeResponse found = range(answer, 1);
                return found.getKvsCount() == 0 ? held() : adopt(found.getKvs(0));
            }
            contender.entered(revision);
            if (request.waits() && range(answer, 1).getKvsCount() > 1) {
                RangeResponse newest = range(answer, 1);
                return waitFor(newest.getKvs(1), revision, newest.getCount());
            }
            return CompletableFuture.completedFuture(granted(revision, revision));
        }

        /** The entry, with the base that its token will be made with. */
        private RequestOp put() {
            return Ops.put(own, EntryValue.of(contender.name(), contender.holder(), base), session.etcdLease());
        }

        /**
         * Sends what has no effect unless the base is the one we know, and repeats it with the present one if it is not.
         *
         * @param txn its failure reads the base first
         */
        private CompletableFuture<Attempt> sendOnBase(
                TxnRequest.Builder txn,
                Function<TxnResponse, CompletableFuture<Attempt>> then,
                Function<Ask, CompletableFuture<Attempt>> again) {
            base.stands(keys.base()).ifPresent(txn::addCompare);
            return send(txn)
                    .thenCompose(answer -> answer.getSucceeded() || base.is(range(answer, 0))
                            ? then.apply(answer)
                            : tokens.insteadOf(base)
                                    .thenCompose(
                                            present -> again.apply(new Ask(contender, request, session, present))));
        }

        /**
         * An entry of an earlier request, whose answer was lost; on an earlier session it is as good as gone, and that of a contender who had the key
         * before is not wanted any more.
         */
        private CompletableFuture<Attempt> adopt(KeyValue entry) {
            boolean own = EntryValue.holder(entry.getValue())
                    .filter(contender.holder()::equals)
                    .isPresent();
            if (own && entry.getLease() == session.etcdLease()) {
                contender.entered(entry.getCreateRevision());
                return confirm(entry.getCreateRevision());
            }
            return send(delete(entry.getCreateRevision())).thenCompose(gone -> enter());
        }

        /** Takes the lock if the entry is there and no older one is, in one write. */
        private CompletableFuture<Attempt> confirm(long created) {
            TxnRequest.Builder txn = TxnRequest.newBuilder()
                    .addCompare(Ops.createdAt(own, created))
                    .addCompare(Ops.noneBefore(queue, created))
                    .addSuccess(put())
                    .addFailure(Ops.get(keys.base()))
                    .addFailure(Ops.get(own))
                    .addFailure(Ops.twoBefore(queue, created));
            return sendOnBase(
                    txn,
                    answer -> answer.getSucceeded()
                            ? CompletableFuture.completedFuture(
                                    granted(created, answer.getHeader().getRevision()))
                            : stillWaiting(answer, 1, created),
                    ask -> ask.confirm(created));
        }

        /** Looks where the entry stands, without a write: nothing was heard, so most likely nothing has changed. */
        private CompletableFuture<Attempt> look(long created) {
            TxnRequest.Builder txn =
                    TxnRequest.newBuilder().addSuccess(Ops.get(own)).addSuccess(Ops.twoBefore(queue, created));
            return send(txn).thenCompose(answer -> {
                boolean first = range(answer, 1).getKvsCount() == 0;
                return first && stands(range(answer, 0), created) ? confirm(created) : stillWaiting(answer, 0, created);
            });
        }

        /** The answer tells the entry at an index, and then those before it. */
        private CompletableFuture<Attempt> stillWaiting(TxnResponse answer, int index, long created) {
            RangeResponse before = range(answer, index + 1);
            if (!stands(range(answer, index), created)) {
                contender.entered(0);
                return enter();
            }
            if (!request.waits()) {
                return send(delete(created)).thenCompose(gone -> held());
            }
            if (before.getKvsCount() == 0) {
                return confirm(created);
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

        private Attempt granted(long created, long revision) {
            if (session.isOver()) {
                throw new OutcomeUnknownException(
                        "the etcd lease ended while lock " + contender.name() + " was granted", null);
            }
            Grant grant = new Grant(
                    contender.name(),
                    contender.holder(),
                    base.token(created),
                    sessions.granted(session, request.lease()),
                    new EtcdRef(own, created, session.etcdLease()));
            Attempt.Granted granted = new Attempt.Granted(grant, new EntryLiveness(session, contender));
            contender.granted(granted, revision);
            return granted;
        }

        /** Where the server does not know the etcd lease, nothing was written, and the session has ended. */
        private CompletableFuture<TxnResponse> send(TxnRequest.Builder txn) {
            return client.txn(txn).exceptionallyCompose(failure -> {
                if (!EtcdErrors.leaseGone(failure)) {
                    return CompletableFuture.failedFuture(failure);
                }
                session.end();
                return CompletableFuture.failedFuture(
                        new BackendUnavailableException("the etcd lease has ended", failure));
            });
        }
    }

    private static RangeResponse range(TxnResponse answer, int index) {
        return answer.getResponses(index).getResponseRange();
    }
}
