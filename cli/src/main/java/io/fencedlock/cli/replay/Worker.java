package io.fencedlock.cli.replay;

import java.time.Duration;

/**
 * One instance of the service of the article: a process of its own, or for {@code memory} a thread. It does one order after the other.
 */
interface Worker extends AutoCloseable {

    String name();

    /** Gives an order and does not wait. */
    void begin(Message order);

    /**
     * The report of the oldest order without one.
     *
     * @throws IllegalStateException if it does not come in time or is an error
     */
    Message end(Duration limit);

    /** Stops the worker, so that nothing in it goes on and it notices nothing. */
    void pause();

    void resume();

    /** Kills it if it runs. */
    @Override
    void close();

    /** What went wrong in a worker is the end of the run. */
    static Message checked(String worker, Message report) {
        if (report.has(Message.ERROR)) {
            throw new IllegalStateException(worker + ": " + report.text(Message.ERROR));
        }
        return report;
    }
}
