package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All contenders of a client, and their comparison with what the server has. A request that a paused member carries out after it was undone leaves an
 * entry that nobody wants and that would live as long as the client; a deleted entry has a holder who does not know. Thread-safe.
 */
final class Contenders {

    private static final int CLIENT_ID_BYTES = 8;
    private static final Logger LOG = LoggerFactory.getLogger(Contenders.class);

    private final EtcdClient etcd;
    private final EtcdKeys keys;
    private final Map<HolderId, Contender> byHolder = new ConcurrentHashMap<>();
    private final EntryNumbers numbers = new EntryNumbers();
    private final String client = randomId();

    Contenders(EtcdClient etcd, EtcdKeys keys) {
        this.etcd = etcd;
        this.keys = keys;
    }

    Contender of(LockName name, HolderId holder) {
        return byHolder.computeIfAbsent(holder, id -> {
            int number = numbers.take(name);
            return new Contender(name, id, number, keys.entry(name, client, number));
        });
    }

    private static String randomId() {
        byte[] id = new byte[CLIENT_ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    @Nullable
    Contender find(HolderId holder) {
        return byHolder.get(holder);
    }

    /** It is over. Its key is used again, unless something may yet come to it. */
    void remove(Contender contender) {
        if (byHolder.remove(contender.holder(), contender) && contender.retires()) {
            numbers.give(contender.name(), contender.number());
        }
    }

    /** Tells everyone on a session that it has ended. */
    void ended(EtcdSession session) {
        byHolder.values().stream().filter(c -> c.session() == session).forEach(c -> {
            if (c.granted() != null) {
                remove(c);
            }
            c.ends(LossReason.SESSION_ENDED);
        });
    }

    /** Wakes all waiters: the client closes. */
    void wakeAll() {
        byHolder.values().forEach(c -> {
            Hint hint = c.waitsBy(null);
            if (hint != null) {
                hint.tell();
            }
        });
    }

    /** Compares what the server has on a session with what is known here. */
    void sweep(EtcdSession session) {
        List<Contender> holders = byHolder.values().stream()
                .filter(c -> c.session() == session && c.granted() != null)
                .toList();
        etcd.timeToLive(session.etcdLease(), true).whenComplete((found, failure) -> {
            if (found == null) {
                return;
            }
            if (found.getTTL() < 0) {
                session.end();
            } else {
                compare(found, holders);
            }
        });
    }

    private void compare(LeaseTimeToLiveResponse found, List<Contender> holders) {
        Set<ByteString> there = Set.copyOf(found.getKeysList());
        Set<ByteString> wanted = byHolder.values().stream()
                .filter(Contender::wanted)
                .map(Contender::key)
                .collect(Collectors.toSet());
        there.stream()
                .filter(key -> !wanted.contains(key))
                .forEach(key -> delete(key, found.getHeader().getRevision()));
        // A member that lags behind may not have seen an entry yet.
        holders.stream()
                .filter(c -> !there.contains(c.key())
                        && c.grantRevision() <= found.getHeader().getRevision())
                .forEach(this::verify);
    }

    /** The one that was there at a revision; not a later one, which a new contender may have made meanwhile. */
    private void delete(ByteString key, long revision) {
        LOG.info("entry {} was left by a request that came late: it is deleted", key.toStringUtf8());
        etcd.txn(TxnRequest.newBuilder()
                .addCompare(Ops.createdBefore(key, revision + 1))
                .addSuccess(Ops.delete(key)));
    }

    private void verify(Contender contender) {
        RangeRequest.Builder read =
                RangeRequest.newBuilder().setKey(contender.key()).setKeysOnly(true);
        etcd.range(read).whenComplete((found, failure) -> {
            if (found != null && found.getKvsCount() == 0 && contender.granted() != null) {
                remove(contender);
                contender.ends(LossReason.NOT_HELD);
            }
        });
    }
}
