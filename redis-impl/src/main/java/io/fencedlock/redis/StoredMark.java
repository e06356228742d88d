package io.fencedlock.redis;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;

/** A fence's mark as it is stored, "token:holder": the one place, beside {@code fence.lua}, that knows the format. */
final class StoredMark {

    private StoredMark() {}

    /** The holder's part; empty for a mark that an operator raised. */
    static String holder(FenceMark mark) {
        HolderId holder = mark.holder();
        return holder == null ? "" : holder.value();
    }

    static FenceMark parse(String text) {
        int colon = text.indexOf(':');
        String holder = text.substring(colon + 1);
        return new FenceMark(Long.parseLong(text.substring(0, colon)), holder.isEmpty() ? null : new HolderId(holder));
    }
}
