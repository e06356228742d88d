package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.fencedlock.BackendRef;

/**
 * Which entry a grant is. A guard on ownership compares the key's create revision, never the token.
 *
 * @param key the entry's key
 * @param createRevision when it was created: no other entry has the same
 * @param etcdLease what it lives on
 */
record EtcdRef(ByteString key, long createRevision, long etcdLease) implements BackendRef {
    @Override
    public String toString() {
        return key.toStringUtf8() + "@" + createRevision;
    }
}
