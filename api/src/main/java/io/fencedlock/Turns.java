package io.fencedlock;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only so many acquisitions of a client ask at a time; the others wait for their turn, in order. A store that is asked for more at once than it
 * answers within the command timeout would answer hardly any in time, and each would ask again. Thread-safe, never blocks.
 */
final class Turns {

    private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

    private final int most;
    private final AtomicInteger asking = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    /** Calls of {@link #next} so far that nobody has worked off; who makes it more than 0 does. */
    private final AtomicInteger calls = new AtomicInteger();

    Turns(int most) {
        this.most = most;
    }

    /**
     * Runs what asks, now or, on another thread, when it is its turn.
     *
     * @param ask must not block, and ends in a call of {@link #end}
     * @return whether it was run at once; else it may have its turn at any time
     */
    boolean take(Runnable ask) {
        if (waiting.isEmpty() && enter()) {
            ask.run();
            return true;
        }
        waiting.add(ask);
        next();
        return false;
    }

    /** One was answered. */
    void end() {
        asking.decrementAndGet();
        if (!waiting.isEmpty()) {
            next();
        }
    }

    private boolean enter() {
        int now = asking.get();
        while (now < most) {
            if (asking.compareAndSet(now, now + 1)) {
                return true;
            }
            now = asking.get();
        }
        return false;
    }

    /** One thread at a time, and never within itself: an ask may end at once. */
    private void next() {
        if (calls.getAndIncrement() != 0) {
            return;
        }
        int done = 1;
        do {
            while (!waiting.isEmpty() && enter()) {
                run(waiting.remove());
            }
            done = calls.addAndGet(-done);
        } while (done != 0);
    }

    private static void run(Runnable ask) {
        try {
            ask.run();
        } catch (RuntimeException | Error e) {
            LOG.error("an acquisition could not ask", e);
        }
    }
}
