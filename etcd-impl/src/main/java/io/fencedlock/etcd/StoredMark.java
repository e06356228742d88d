package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.Compare.CompareResult;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a fence's mark is stored and compared: {@code token:holder:seconds}, the token with 20 digits, so that etcd's comparison byte by byte is that
 * of the numbers, exact over 63 bits. Without a holder, for a mark that an operator raised, nothing stands between the colons. The seconds are the
 * writer's clock, and matter for expiry only: etcd tells no time. Part of the storage format.
 */
record StoredMark(FenceMark mark, Instant usedAt) {

    private static final int DIGITS = 20;
    /** Comes right after the colon: {@code text;} is above all that begins with {@code text:}, and below what begins with a longer text. */
    private static final String BEHIND = ";";

    private static final Clock WALL = Clock.systemUTC();

    static StoredMark read(ByteString stored) {
        String[] parts = stored.toStringUtf8().split(":", 3);
        @Nullable HolderId holder = parts[1].isEmpty() ? null : new HolderId(parts[1]);
        return new StoredMark(
                new FenceMark(Long.parseLong(parts[0]), holder), Instant.ofEpochSecond(Long.parseLong(parts[2])));
    }

    private static String token(long token) {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", token);
    }

    private static String withHolder(FenceMark mark) {
        HolderId holder = mark.holder();
        return token(mark.token()) + ":" + (holder == null ? "" : holder.value());
    }

    private static RequestOp put(ByteString key, FenceMark mark) {
        return Ops.put(
                key,
                ByteString.copyFromUtf8(withHolder(mark) + ":" + WALL.instant().getEpochSecond()));
    }

    private static Compare compare(ByteString key, CompareResult result, String text) {
        return Ops.value(key, result, ByteString.copyFromUtf8(text));
    }

    /**
     * One transaction that raises the mark and applies changes where the mark shown is admitted: where there is no mark, a lower one, or the very
     * same; and else reads the mark.
     */
    static TxnRequest.Builder guarded(ByteString key, FenceMark shown, List<RequestOp> changes) {
        TxnRequest.Builder enter =
                TxnRequest.newBuilder().addSuccess(put(key, shown)).addAllSuccess(changes);
        TxnRequest.Builder same = enter.clone().addFailure(Ops.get(key));
        if (shown.holder() == null) {
            same.addCompare(compare(key, CompareResult.LESS, "")); // never
        } else {
            same.addCompare(compare(key, CompareResult.GREATER, withHolder(shown) + ":"))
                    .addCompare(compare(key, CompareResult.LESS, withHolder(shown) + BEHIND));
        }
        TxnRequest.Builder first =
                enter.clone().addCompare(Ops.createdAt(key, 0)).addFailure(nested(same));
        return enter.clone()
                .addCompare(compare(key, CompareResult.LESS, token(shown.token())))
                .addFailure(nested(first));
    }

    /** One transaction that raises the mark to a number without a holder where it is not higher; and else reads it. */
    static TxnRequest.Builder raised(ByteString key, long token) {
        TxnRequest.Builder raise = TxnRequest.newBuilder().addSuccess(put(key, new FenceMark(token, null)));
        TxnRequest.Builder first =
                raise.clone().addCompare(Ops.createdAt(key, 0)).addFailure(Ops.get(key));
        return raise.clone()
                .addCompare(compare(key, CompareResult.LESS, token(token) + BEHIND))
                .addFailure(nested(first));
    }

    private static RequestOp nested(TxnRequest.Builder txn) {
        return RequestOp.newBuilder().setRequestTxn(txn).build();
    }
}
