package io.fencedlock.redis;

import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The value of a lock's key, "token:holder:since in µs:pid:host", as the scripts write it; on the nodes of a Redlock the holder is followed by "." and the
 * number of its try.
 */
record Entry(long token, HolderId holder, Instant since, OptionalLong pid, String host) {

    private static final int PARTS = 5;

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is not one of ours
     */
    static Entry parse(String text) {
        String[] parts = text.split(":", PARTS);
        if (parts.length < PARTS) {
            throw new IllegalArgumentException("the lock's key holds something else: " + text.length() + " characters");
        }
        return new Entry(
                Long.parseLong(parts[0]),
                new HolderId(parts[1].replaceFirst("\\.\\d+$", "")),
                Instant.EPOCH.plus(Long.parseLong(parts[2]), ChronoUnit.MICROS),
                OptionalLong.of(Long.parseLong(parts[3])),
                parts[4]);
    }

    HolderInfo info(long remainingMillis, long waiters) {
        return new HolderInfo(
                holder,
                token,
                Optional.of(since),
                remainingMillis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(remainingMillis)),
                Optional.of(host).filter(name -> !name.isEmpty()),
                pid,
                OptionalInt.of((int) waiters));
    }
}
