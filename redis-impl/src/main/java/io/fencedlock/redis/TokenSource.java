package io.fencedlock.redis;

/** Where tokens come from: the option {@code tokens}. */
enum TokenSource {
    /** One above the stripe's counter, and never below the server's clock in microseconds: outlives the loss of the counter. */
    CLOCK,
    /** The stripe's counter alone, as in the textbook: 1, 2, 3, and again from 1 when the counter is lost. */
    COUNTER;

    /** As the scripts know it. */
    String script() {
        return this == CLOCK ? "clock" : "counter";
    }
}
