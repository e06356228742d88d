package io.fencedlock.servers;

import java.time.Duration;

/**
 * What a {@link FaultProxy} does to the bytes of one direction.
 *
 * @param kind deliver, hold back or swallow
 * @param delayNanos how long each byte is held back when it is delivered, in nanoseconds
 */
public record Fault(Kind kind, long delayNanos) {
    /** The three things that can become of a byte. */
    public enum Kind {
        /** It is delivered. */
        PASS,
        /** It is kept, and delivered when the fault ends. */
        STALL,
        /** It is swallowed for ever. */
        DROP
    }

    /** Checks the delay. */
    public Fault {
        if (delayNanos < 0) {
            throw new IllegalArgumentException("a delay cannot be negative: " + delayNanos + " ns");
        }
    }

    /**
     * No fault.
     *
     * @return bytes are delivered at once
     */
    public static Fault none() {
        return new Fault(Kind.PASS, 0);
    }

    /**
     * A slow line.
     *
     * @param time how much later each byte is delivered
     * @return the delay
     */
    public static Fault delay(Duration time) {
        return new Fault(Kind.PASS, time.toNanos());
    }

    /**
     * A black hole that gives back what it took when the fault ends, as TCP does after a partition.
     *
     * @return bytes are held back
     */
    public static Fault stall() {
        return new Fault(Kind.STALL, 0);
    }

    /**
     * Bytes are lost for good, so the connection is of no use afterwards: cut it before healing.
     *
     * @return bytes are swallowed
     */
    public static Fault drop() {
        return new Fault(Kind.DROP, 0);
    }
}
