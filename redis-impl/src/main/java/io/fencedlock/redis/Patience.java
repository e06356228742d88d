package io.fencedlock.redis;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for the driver to close. */
final class Patience {

    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

    private Patience() {}

    /** Waits for a bounded time, whatever the outcome; keeps an interrupt. */
    static void await(Future<?> future, long nanos) {
        boolean interrupted = Thread.interrupted();
        try {
            future.get(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("the driver did not close in order", e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
