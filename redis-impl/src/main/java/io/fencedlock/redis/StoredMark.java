package io.fencedlock.redis;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.MarkInfo;
import java.time.Instant;

/** A fence's mark as it is stored, "token:holder:seconds": the one place, beside {@code fence.lua}, that knows the format. */
record StoredMark(FenceMark mark, Instant usedAt) {

    /** The holder's part; empty for a mark that an operator raised. */
    static String holder(FenceMark mark) {
        HolderId holder = mark.holder();
        return holder == null ? "" : holder.value();
    }

    static StoredMark parse(String text) {
        String[] parts = text.split(":", 3);
        HolderId holder = parts[1].isEmpty() ? null : new HolderId(parts[1]);
        return new StoredMark(
                new FenceMark(Long.parseLong(parts[0]), holder), Instant.ofEpochSecond(Long.parseLong(parts[2])));
    }

    MarkInfo of(String resource) {
        return new MarkInfo(resource, mark, usedAt);
    }
}
