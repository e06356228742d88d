package io.fencedlock.torture;

import io.fencedlock.compliance.history.Action;
import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.Fault;
import io.fencedlock.compliance.history.Phase;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells when this process stood still without being stopped on purpose: a busy machine gave it no processor, or garbage was collected. It is a pause
 * like any other, and the checker has to know of it.
 */
final class Stalls {
    private static final long TICK_MILLIS = 20;
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final String process;
    private final Consumer<Event> sink;
    private long stalls;

    Stalls(String process, Consumer<Event> sink) {
        this.process = process;
        this.sink = sink;
    }

    void start() {
        Thread thread = new Thread(this::watch, "stalls");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            for (long last = System.nanoTime(); ; last = System.nanoTime()) {
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
                long now = System.nanoTime();
                if (now - last > STALL_NANOS) {
                    tell(last, Phase.INVOKE, --stalls); // below zero: apart from the operations of recorders
                    tell(now, Phase.OK, stalls);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(long at, Phase phase, long op) {
        Map<String, String> kind = Map.of(Event.FAULT, Fault.PAUSE.name().toLowerCase(Locale.ROOT));
        sink.accept(new Event(at, process, op, Action.FAULT, phase, "", 0, "", kind));
    }
}
