package io.fencedlock.redis;

import io.fencedlock.HolderId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.Stream;

/** What this client tells the scripts, and how it reckons lease times. Immutable. */
final class Terms {

    static final Duration SMALLEST_LEASE = Duration.ofMillis(200);
    /** How late a waiter asks again when nothing was heard. */
    static final Duration RECHECK = Duration.ofSeconds(1);
    /** Without a word for this long a waiter is taken for dead. */
    private static final Duration WAITER_ALIVE = Duration.ofSeconds(5);
    /** How long a lock handed over waits to be claimed, where the server cannot tell whether anybody heard, or replicas have to know it. */
    private static final Duration CLAIM = Duration.ofSeconds(1);
    /** How long a late request of an abandoned holder is refused. */
    private static final Duration TOMBSTONE = Duration.ofSeconds(30);
    /** A lease is taken for shorter by its hundredth and this, since the server's clock may run faster than ours. */
    private static final Duration DRIFT = Duration.ofMillis(2);

    private static final int DRIFT_SHARE = 100;
    private static final int CLIENT_ID_BYTES = 8;

    private final String source;
    private final String channels;
    private final String client;
    private final boolean cluster;
    private final boolean claimed;

    Terms(RedisSettings settings, String channels) {
        this.channels = channels;
        source = settings.tokens().script();
        cluster = settings.topology() == Topology.CLUSTER;
        claimed = cluster || settings.waitReplicas() > 0;
        byte[] id = new byte[CLIENT_ID_BYTES];
        new SecureRandom().nextBytes(id);
        client = HexFormat.of().formatHex(id);
    }

    /** The channel of this client. */
    String channel() {
        return channels + client;
    }

    Contender.Place place(Duration lease) {
        Duration handOver = claimed && lease.compareTo(CLAIM) > 0 ? CLAIM : lease;
        return new Contender.Place(handOver, client + ":" + millis(handOver) + ":" + ThisProcess.PID_AND_HOST);
    }

    /** For a request that does not wait. */
    String[] acquire(HolderId holder, Duration lease) {
        return new String[] {holder.value(), String.valueOf(millis(lease)), source, ThisProcess.PID_AND_HOST};
    }

    /** For one that does. */
    String[] acquire(HolderId holder, Duration lease, Contender.Place place, boolean waited) {
        return with(acquire(holder, lease), place.text(), flag(waited), String.valueOf(WAITER_ALIVE.toMillis()));
    }

    /**
     * For a release.
     *
     * @param entry how the entry begins
     * @param late whether a request to acquire may come after it
     */
    String[] release(String entry, boolean late) {
        return late(late, entry, source, channels, flag(!cluster));
    }

    String[] abandon(HolderId holder, String place, boolean late) {
        return late(late, holder.value(), source, channels, flag(!cluster), place);
    }

    private static String[] late(boolean late, String... arguments) {
        return late ? with(arguments, String.valueOf(TOMBSTONE.toMillis())) : arguments;
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    /** Rounded up, so that nobody gets less than was asked for. */
    static long millis(Duration lease) {
        return lease.plusNanos(999_999).toMillis();
    }

    /** How long a lease is taken for valid from the moment before it was asked for. */
    static Duration validFor(Duration lease) {
        Duration valid = lease.minus(lease.dividedBy(DRIFT_SHARE)).minus(DRIFT);
        return valid.isNegative() ? Duration.ZERO : valid;
    }

    private static String flag(boolean set) {
        return set ? "1" : "0";
    }
}
