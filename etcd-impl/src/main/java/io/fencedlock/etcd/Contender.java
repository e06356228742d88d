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
    /** Whether a request without an answer may have left an entry. */
    private boolean doubtful;
    /** Whether its entry, if there is one, has to go. */
    private boolean unwanted;

    Contender(LockName name, HolderId holder, ByteString key) {
        this.name = name;
        this.holder = holder;
        this.key = key;
    }

    LockName name() {
        return name;
    }

    HolderId holder() {
        return holder;
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
            createRevision = 0;
        }
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

    synchronized void asks(CompletableFuture<?> request) {
        lastRequest = request;
    }

    /** The last request, which an undo must not overtake. */
    synchronized CompletableFuture<?> lastRequest() {
        return lastRequest;
    }

    synchronized void doubt() {
        doubtful = true;
    }

    /** Whether the server may have an entry of it. */
    synchronized boolean mayHaveEntry() {
        return doubtful || createRevision != 0;
    }

    /** A release is on its way: what becomes of the entry now is no loss. */
    synchronized void releases() {
        granted = null;
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
            createRevision = 0;
            if (holds) {
                unwanted = true;
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
