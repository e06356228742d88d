package io.fencedlock.servers;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition that nothing announces: asks again and again until a deadline. */
final class Wait {
    private Wait() {}

    static void until(Duration limit, Supplier<String> complaint, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        for (int pause = 1; !condition.getAsBoolean(); pause = Math.min(2 * pause, 50)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(complaint.get() + " within " + limit.toMillis() + " ms");
            }
            sleep(pause);
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted").initCause(e);
        }
    }
}
