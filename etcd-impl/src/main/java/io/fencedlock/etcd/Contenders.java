package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.LossReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All contenders of a client, and their comparison with what the server has. A request that a paused member carries out after it was undone leaves an
 * entry that nobody wants and that would live as long as the client; a deleted entry has a holder who does not know. Thread-safe.
 */
final class Contenders {

    private static final Logger LOG = LoggerFactory.getLogger(Contenders.class);

    private final EtcdClient client;
    private final EtcdKeys keys;
    private final Map<HolderId, Contender> byHolder = new ConcurrentHashMap<>();

    Contenders(EtcdClient client, EtcdKeys keys) {
        this.client = client;
        this.keys = keys;
    }

    Contender of(LockName name, HolderId holder) {
        return byHolder.computeIfAbsent(holder, id -> new Contender(name, id, keys.entry(name, id)));
    }

    @Nullable
    Contender find(HolderId holder) {
        return byHolder.get(holder);
    }

    void remove(Contender contender) {
        byHolder.remove(contender.holder(), contender);
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
        client.timeToLive(session.etcdLease(), true).whenComplete((found, failure) -> {
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
        there.stream().filter(this::unwanted).forEach(this::delete);
        // A member that lags behind may not have seen an entry yet.
        holders.stream()
                .filter(c -> !there.contains(c.key())
                        && c.grantRevision() <= found.getHeader().getRevision())
                .forEach(this::verify);
    }

    private boolean unwanted(ByteString key) {
        Optional<Contender> contender = EtcdKeys.holder(key).map(byHolder::get);
        return contender.isEmpty() || !contender.get().wanted();
    }

    private void delete(ByteString key) {
        LOG.info("entry {} was left by a request that came late: it is deleted", key.toStringUtf8());
        client.txn(TxnRequest.newBuilder().addSuccess(Ops.delete(key)));
    }

    private void verify(Contender contender) {
        RangeRequest.Builder read =
                RangeRequest.newBuilder().setKey(contender.key()).setKeysOnly(true);
        client.range(read).whenComplete((found, failure) -> {
            if (found != null && found.getKvsCount() == 0 && contender.granted() != null) {
                remove(contender);
                contender.ends(LossReason.NOT_HELD);
            }
        });
    }
}
