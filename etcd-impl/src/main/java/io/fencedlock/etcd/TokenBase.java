package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.fencedlock.BackendUnavailableException;
import java.util.Optional;

/**
 * The number that lifts create revisions into the token space that all backends share; it only grows. An entry keeps the base that it was
 * granted with, so its token can be told whatever becomes of the base.
 *
 * @param stored as etcd has it; empty where tokens are bare revisions
 */
record TokenBase(Optional<ByteString> stored, long number) {

    /** Tokens are bare revisions. */
    static final TokenBase NONE = new TokenBase(Optional.empty(), 0);

    /**
     * Reads one.
     *
     * @throws BackendUnavailableException if it is not one of ours
     */
    static TokenBase of(KeyValue stored) {
        try {
            return new TokenBase(
                    Optional.of(stored.getValue()),
                    Long.parseLong(stored.getValue().toStringUtf8()));
        } catch (NumberFormatException e) {
            throw new BackendUnavailableException(
                    "the key " + stored.getKey().toStringUtf8()
                            + " in etcd takes the number that tokens begin at, found "
                            + stored.getValue().size() + " bytes of something else",
                    e);
        }
    }

    static ByteString text(long number) {
        return ByteString.copyFromUtf8(Long.toString(number));
    }

    /** Holds while this is the base. */
    Optional<Compare> stands(ByteString key) {
        return stored.map(value -> Ops.value(key, Compare.CompareResult.EQUAL, value));
    }

    /** Whether it is what was found. */
    boolean is(RangeResponse found) {
        return stored.isEmpty()
                || (found.getKvsCount() == 1 && found.getKvs(0).getValue().equals(stored.get()));
    }

    long token(long createRevision) {
        return Math.addExact(number, createRevision);
    }
}
