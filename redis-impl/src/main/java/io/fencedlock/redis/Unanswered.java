package io.fencedlock.redis;

import io.fencedlock.LockClock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The requests of a connection that are not answered yet, oldest first: each is ended when its time is over. One timer for all, which runs while there
 * are any: the driver would set and cancel one for each, at a good part of what a request costs. Thread-safe, never blocks.
 */
final class Unanswered {

    /** How late a request is ended at most, as a share of its time. */
    private static final int LOOKS = 16;

    private final LockClock clock;
    private final long timeoutNanos;
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean looking = new AtomicBoolean();

    /** A request. */
    interface Request {

        /** The clock's reading when it was sent. */
        long sentAt();

        /** Its time is over. */
        void expire();
    }

    Unanswered(LockClock clock, Duration timeout) {
        this.clock = clock;
        timeoutNanos = timeout.toNanos();
    }

    /** Was sent just now. */
    void add(Request request) {
        requests.add(request);
        if (!looking.get() && looking.compareAndSet(false, true)) {
            lookLater();
        }
    }

    /** Is over. A connection answers in order: it is the first, or near to it. */
    void remove(Request request) {
        requests.remove(request);
    }

    private void lookLater() {
        clock.schedule(timeoutNanos / LOOKS, this::look);
    }

    private void look() {
        long now = clock.nanos();
        Request oldest = requests.peek();
        while (oldest != null && now - oldest.sentAt() >= timeoutNanos) {
            requests.remove(oldest);
            oldest.expire();
            oldest = requests.peek();
        }
        if (requests.isEmpty()) {
            looking.set(false);
            if (requests.isEmpty() || !looking.compareAndSet(false, true)) {
                return;
            }
        }
        lookLater();
    }
}
