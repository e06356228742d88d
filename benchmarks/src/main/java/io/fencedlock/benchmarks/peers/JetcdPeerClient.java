package io.fencedlock.benchmarks.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.common.exception.ClosedClientException;
import io.etcd.jetcd.options.GetOption;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockOptions;
import io.fencedlock.OutcomeUnknownException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A jetcd client. */
final class JetcdPeerClient implements PeerClient {

    private final Client client;
    private final Duration lease;
    private final JetcdPeer.Use use;
    private @Nullable JetcdLease shared;

    JetcdPeerClient(Client client, Duration lease, JetcdPeer.Use use) {
        this.client = client;
        this.lease = lease;
        this.use = use;
    }

    Client jetcd() {
        return client;
    }

    /** How long the suite lets a command take. */
    Duration command() {
        return Duration.ofMillis(Math.min(1_000, lease.toMillis() / 3));
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    @Override
    public PeerMutex mutex(String name, LockOptions options) {
        if (use == JetcdPeer.Use.LEASE_EACH) {
            return new JetcdMutex(this, name, options, limit -> JetcdLease.grant(this, options.lease(), true, limit));
        }
        if (!options.renewed() || !options.lease().equals(lease)) {
            throw new UnsupportedOperationException("all locks live on the one etcd lease of the client");
        }
        return new JetcdMutex(this, name, options, this::shared);
    }

    private synchronized JetcdLease shared(Duration limit) throws Exception {
        if (shared == null || shared.lost().isDone()) {
            shared = JetcdLease.grant(this, lease, false, limit);
        }
        return shared;
    }

    /** The answer of jetcd within a limit. */
    static <T> T get(CompletableFuture<T> asked, Duration limit) throws Exception {
        return asked.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Optional<KeyValue> first(String name) throws Exception {
        GetOption queue = GetOption.builder()
                .isPrefix(true)
                .withSortField(GetOption.SortTarget.CREATE)
                .withSortOrder(GetOption.SortOrder.ASCEND)
                .withLimit(1)
                .build();
        List<KeyValue> found = get(client.getKVClient().get(bytes(name + "/"), queue), command())
                .getKvs();
        return found.stream().findFirst();
    }

    @Override
    public Optional<HolderInfo> inspect(String name) throws Exception {
        return first(name)
                .map(entry -> new HolderInfo(
                        holder(entry.getLease()),
                        entry.getCreateRevision(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty()));
    }

    /** etcd's holder is its lease. */
    static HolderId holder(long etcdLease) {
        return new HolderId(String.format("%032x", etcdLease));
    }

    @Override
    public void remove(String name) throws Exception {
        get(client.getLockClient().unlock(first(name).orElseThrow().getKey()), command());
    }

    @Override
    public RuntimeException translated(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException || thrown instanceof ExecutionException
                ? thrown.getCause()
                : thrown;
        String text = String.valueOf(cause);
        if (cause instanceof ClosedClientException || cause instanceof RejectedExecutionException) {
            return new IllegalStateException("the client is closed", cause);
        } else if (cause instanceof TimeoutException) {
            return new OutcomeUnknownException("no answer in time", cause);
        } else if (text.contains("UNAVAILABLE")) {
            return new BackendUnavailableException(text, cause);
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new OutcomeUnknownException(text, cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
