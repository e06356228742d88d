package io.fencedlock.jdbc;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import java.util.concurrent.atomic.AtomicLong;

/** Marks and resource names for tests. */
final class Marks {
    private static final AtomicLong COUNTER = new AtomicLong();

    private Marks() {}

    static FenceMark of(long token) {
        return new FenceMark(token, HolderId.random());
    }

    /** A name that no other test uses. */
    static String resource(String prefix) {
        return prefix + "-" + COUNTER.incrementAndGet() + "-" + Long.toString(System.nanoTime(), 36);
    }
}
