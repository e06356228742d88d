package io.fencedlock.cli.replay;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A key on an etcd lease that nobody keeps alive, created if absent, and a delete of the key. */
final class EtcdArticleLock implements ArticleLock {
    private static final long CALL_SECONDS = 20;

    private final ManagedChannel channel;

    EtcdArticleLock(Location location) {
        channel = connect(location);
    }

    static ManagedChannel connect(Location location) {
        return ManagedChannelBuilder.forTarget(location.hostAndPort())
                .usePlaintext()
                .build();
    }

    static KVGrpc.KVBlockingStub keys(ManagedChannel channel) {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public boolean take(String name, String owner, Duration lease) {
        ByteString key = key(name);
        if (keys(channel).range(RangeRequest.newBuilder().setKey(key).build()).getCount() > 0) {
            return false; // no etcd lease is made for nothing
        }
        long etcdLease = LeaseGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .leaseGrant(LeaseGrantRequest.newBuilder()
                        .setTTL(lease.plusMillis(999).toSeconds())
                        .build())
                .getID();
        PutRequest put = PutRequest.newBuilder()
                .setKey(key)
                .setValue(ByteString.copyFromUtf8(owner))
                .setLease(etcdLease)
                .build();
        return keys(channel)
                .txn(TxnRequest.newBuilder()
                        .addCompare(Compare.newBuilder()
                                .setKey(key)
                                .setTarget(Compare.CompareTarget.CREATE)
                                .setCreateRevision(0))
                        .addSuccess(RequestOp.newBuilder().setRequestPut(put))
                        .build())
                .getSucceeded();
    }

    @Override
    public Optional<String> delete(String name) {
        DeleteRangeResponse deleted = keys(channel)
                .deleteRange(DeleteRangeRequest.newBuilder()
                        .setKey(key(name))
                        .setPrevKv(true)
                        .build());
        return deleted.getPrevKvsList().stream()
                .map(before -> before.getValue().toStringUtf8())
                .findFirst();
    }

    private static ByteString key(String name) {
        return ByteString.copyFromUtf8("article-lock/" + name);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
