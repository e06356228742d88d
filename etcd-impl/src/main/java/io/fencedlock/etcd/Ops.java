package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;

/** The words that transactions are made of. */
final class Ops {

    private Ops() {}

    /** Holds if the key was created at this revision; 0: if there is no such key. */
    static Compare createdAt(ByteString key, long revision) {
        return created(key, revision).setResult(Compare.CompareResult.EQUAL).build();
    }

    /** Holds if no key that begins so is there. */
    static Compare noneIn(ByteString prefix) {
        return created(prefix, 0)
                .setRangeEnd(EtcdKeys.end(prefix))
                .setResult(Compare.CompareResult.EQUAL)
                .build();
    }

    /** Holds if no key that begins so was created before this revision. */
    static Compare noneBefore(ByteString prefix, long revision) {
        return created(prefix, revision - 1)
                .setRangeEnd(EtcdKeys.end(prefix))
                .setResult(Compare.CompareResult.GREATER)
                .build();
    }

    /** Holds if the key was created before this revision, or is not there. */
    static Compare createdBefore(ByteString key, long revision) {
        return created(key, revision).setResult(Compare.CompareResult.LESS).build();
    }

    private static Compare.Builder created(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.CREATE)
                .setCreateRevision(revision);
    }

    /** Never holds for a key that is not there. */
    static Compare value(ByteString key, Compare.CompareResult result, ByteString value) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.VALUE)
                .setResult(result)
                .setValue(value)
                .build();
    }

    /** Holds if the key was last changed at this revision. */
    static Compare changedAt(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(revision)
                .build();
    }

    static RequestOp get(ByteString key) {
        return op(RangeRequest.newBuilder().setKey(key));
    }

    /** The oldest entry of a queue, with its value; the answer counts all. */
    static RequestOp oldest(ByteString queue) {
        return op(queue(queue, RangeRequest.SortOrder.ASCEND).setLimit(1));
    }

    /** The two newest entries of a queue, without values, the newest first; the answer counts all. */
    static RequestOp newestTwo(ByteString queue) {
        return op(queue(queue, RangeRequest.SortOrder.DESCEND).setLimit(2).setKeysOnly(true));
    }

    /** The two entries before the one that was created at a revision, without values, the nearest first. */
    static RequestOp twoBefore(ByteString queue, long revision) {
        return op(queue(queue, RangeRequest.SortOrder.DESCEND)
                .setMaxCreateRevision(revision - 1)
                .setLimit(2)
                .setKeysOnly(true));
    }

    private static RangeRequest.Builder queue(ByteString queue, RangeRequest.SortOrder order) {
        return RangeRequest.newBuilder()
                .setKey(queue)
                .setRangeEnd(EtcdKeys.end(queue))
                .setSortTarget(RangeRequest.SortTarget.CREATE)
                .setSortOrder(order);
    }

    private static RequestOp op(RangeRequest.Builder range) {
        return RequestOp.newBuilder().setRequestRange(range).build();
    }

    static RequestOp put(ByteString key, ByteString value) {
        return put(key, value, 0);
    }

    /** A put without its etcd lease would take the key off it. */
    static RequestOp put(ByteString key, ByteString value, long etcdLease) {
        PutRequest.Builder put =
                PutRequest.newBuilder().setKey(key).setValue(value).setLease(etcdLease);
        return RequestOp.newBuilder().setRequestPut(put).build();
    }

    static RequestOp delete(ByteString key) {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
                .build();
    }
}
