package io.fencedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a store knows of the present holder of a lock. A snapshot: it may be out of date when it arrives. Immutable and thread-safe.
 *
 * @param holder the holder's id
 * @param token its token
 * @param since when it was granted, by the store's or the holder's wall clock, if known
 * @param remaining how long the entry lives if it is not renewed, if known
 * @param host the holder's host, if known
 * @param pid the holder's process id, if known
 * @param waiters how many wait for the lock, if the store knows
 */
public record HolderInfo(
        HolderId holder,
        long token,
        Optional<Instant> since,
        Optional<Duration> remaining,
        Optional<String> host,
        OptionalLong pid,
        OptionalInt waiters) {}
