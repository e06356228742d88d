package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a fence's mark is stored and compared: {@code token:holder}, the token with 20 digits, so that etcd's comparison byte by byte is that of the
 * numbers, exact over 63 bits. Without a holder, for a mark that an operator raised, nothing follows the colon. Part of the storage format.
 */
final class StoredMark {

    private static final int DIGITS = 20;

    private StoredMark() {}

    static ByteString of(FenceMark mark) {
        HolderId holder = mark.holder();
        return ByteString.copyFromUtf8(digits(mark.token()) + ":" + (holder == null ? "" : holder.value()));
    }

    static FenceMark read(ByteString stored) {
        String text = stored.toStringUtf8();
        @Nullable HolderId holder = text.length() > DIGITS + 1 ? new HolderId(text.substring(DIGITS + 1)) : null;
        return new FenceMark(Long.parseLong(text.substring(0, DIGITS)), holder);
    }

    private static String digits(long token) {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", token);
    }

    /**
     * One transaction that raises the mark and applies changes where the mark shown is admitted: where there is no mark, a lower one, or the very
     * same; and else reads the mark.
     */
    static TxnRequest.Builder guarded(ByteString key, FenceMark shown, List<RequestOp> changes) {
        // "token" without the colon is below every stored mark of that token, and above every one of a lower token.
        Compare lower = Ops.value(key, Compare.CompareResult.LESS, ByteString.copyFromUtf8(digits(shown.token())));
        Compare none = Ops.createdAt(key, 0);
        TxnRequest.Builder raised =
                TxnRequest.newBuilder().addSuccess(Ops.put(key, of(shown))).addAllSuccess(changes);
        TxnRequest.Builder same = TxnRequest.newBuilder().addAllSuccess(changes).addFailure(Ops.get(key));
        if (shown.holder() == null) {
            same.addCompare(Ops.value(key, Compare.CompareResult.LESS, ByteString.EMPTY));
        } else {
            same.addCompare(Ops.value(key, Compare.CompareResult.EQUAL, of(shown)));
        }
        TxnRequest.Builder first = raised.clone().addCompare(none).addFailure(nested(same));
        return raised.clone().addCompare(lower).addFailure(nested(first));
    }

    private static RequestOp nested(TxnRequest.Builder txn) {
        return RequestOp.newBuilder().setRequestTxn(txn).build();
    }

    /** The mark that refused; empty if the guarded changes were made. */
    static Optional<FenceMark> refusedBy(TxnResponse answer) {
        TxnResponse level = answer;
        while (!level.getSucceeded()) {
            ResponseOp inner = level.getResponses(0);
            if (!inner.hasResponseTxn()) {
                return Optional.of(read(inner.getResponseRange().getKvs(0).getValue()));
            }
            level = inner.getResponseTxn();
        }
        return Optional.empty();
    }
}
