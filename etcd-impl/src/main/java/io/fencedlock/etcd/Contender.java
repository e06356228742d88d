package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.fencedlock.Attempt;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One holder's way through the queue of one name, from the first request to the last. Thread-safe. */
final class Contender {

    private final LockName name;
    private final HolderId holder;
    /** Of the client's keys in the queue it has the one with this number. */
    private final int number;

    private final ByteString key;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();

    /** Guarded by this, as all below. */
    private @Nullable EtcdSession session;
    /** When its entry was created; 0 while none is known. */
    private long createRevision;
    /** A revision at which its entry stood with the lock. */
    private long grantRevision;

    private Attempt.@Nullable Granted granted;
    private @Nullable Hint hint;
    private CompletableFuture<?> lastRequest = CompletableFuture.completedFuture(null);
    /** Whether there may be an entry that we know no revision of: made by a request without an answer, or on an earlier session. */
    private boolean doubtful;
    /** Whether its entry, if there is one, has to go. */
    private boolean unwanted;

    /** Whether it has no part in its key any more. */
    private boolean over;

    Contender(LockName name, HolderId holder, int number, ByteString key) {
        this.name = name;
        this.holder = holder;
        this.number = number;
        this.key = key;
    }

    LockName name() {
        return name;
    }

    HolderId holder() {
        return holder;
    }

    int number() {
        return number;
    }

    ByteString key() {
        return key;
    }

    CompletableFuture<LossReason> lost() {
        return lost;
    }

    synchronized @Nullable EtcdSession session() {
        return session;
    }

    /** Its entries live on this session from now on; one on an earlier session counts no more. */
    synchronized void use(EtcdSession next) {
        if (session != next) {
            session = next;
            forgetEntry();
        }
    }

    private void forgetEntry() {
        doubtful |= createRevision != 0;
        createRevision = 0;
    }

    synchronized long createRevision() {
        return createRevision;
    }

    synchronized void entered(long revision) {
        createRevision = revision;
    }

    synchronized void granted(Attempt.Granted grant, long revision) {
        granted = grant;
        grantRevision = revision;
        hint = null;
    }

    synchronized Attempt.@Nullable Granted granted() {
        return unwanted ? null : granted;
    }

    synchronized long grantRevision() {
        return grantRevision;
    }

    /** The watch it waits by; answers the one before. */
    synchronized @Nullable Hint waitsBy(@Nullable Hint next) {
        Hint last = hint;
        hint = next;
        return last;
    }

    /** Whether it has been told that there is something new. */
    synchronized boolean hinted() {
        return hint != null && hint.heard().isDone();
    }

    /** A request is about to be sent. Answers whether it may be: not after {@link #leaves}, whose caller waits for the last one before. */
    synchronized boolean asks(CompletableFuture<?> request) {
        if (unwanted) {
            return false;
        }
        lastRequest = request;
        return true;
    }

    /** The last request, which an undo must not overtake. */
    synchronized CompletableFuture<?> lastRequest() {
        return lastRequest;
    }

    synchronized void doubt() {
        doubtful = true;
    }

    /** Whether a request that nobody waits for, its own or one that takes it back, may yet come to its key. */
    synchronized boolean isDoubtful() {
        return doubtful;
    }

    /** Whether the server may have an entry of it. */
    synchronized boolean mayHaveEntry() {
        return doubtful || createRevision != 0;
    }

    /**
     * A release is on its way: what becomes of the entry now is no loss.
     *
     * @param revision when the entry was created that goes
     * @return whether no other request can come to the key before {@link #released}: then it may be deleted without looking whose entry it is
     */
    synchronized boolean releases(long revision) {
        boolean alone = !over && !doubtful && createRevision == revision;
        granted = null;
        doubtful |= alone;
        return alone;
    }

    /** The release was answered, or cannot have been run. */
    synchronized void released() {
        doubtful = false;
    }

    /** From now on it has no part in its key. Answers whether another contender may have it. */
    synchronized boolean retires() {
        over = true;
        return !doubtful;
    }

    /** From now on whoever finds its entry deletes it. */
    synchronized void leaves() {
        unwanted = true;
    }

    synchronized boolean wanted() {
        return !unwanted;
    }

    /** Its session or its entry has ended. */
    void ends(LossReason reason) {
        Hint waiting;
        boolean holds;
        synchronized (this) {
            waiting = hint;
            holds = granted != null && !unwanted;
            if (holds) {
                unwanted = true;
                createRevision = 0;
            } else {
                forgetEntry();
            }
        }
        if (holds) {
            lost.complete(reason);
        }
        if (waiting != null) {
            waiting.tell();
        }
    }
}
