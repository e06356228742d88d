package io.fencedlock.compliance.history;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.StaleTokenException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does what a worker does with a lock and writes it into a history. Thread-safe if its sink is. The sink is called before a
 * request is sent and after its answer, so that a killed worker leaves the begun operation behind.
 */
public final class Recorder {

    private final String process;
    private final Consumer<Event> sink;
    private final AtomicLong operations = new AtomicLong();

    /**
     * Makes a recorder.
     *
     * @param process the worker's name in the history
     * @param sink where events go, in a worker process {@code e -> out.println(e.toJson())}
     */
    public Recorder(String process, Consumer<Event> sink) {
        this.process = process;
        this.sink = sink;
    }

    /**
     * Tries to acquire, and records the loss of what was acquired when it is told.
     *
     * @param lock the lock
     * @param maxWait the longest wait
     * @return the lease, or empty
     * @throws InterruptedException if interrupted
     */
    public Optional<Lease> tryAcquire(FencedLock lock, Duration maxWait) throws InterruptedException {
        long op = operations.incrementAndGet();
        String name = lock.name().value();
        record(op, Action.ACQUIRE, Phase.INVOKE, name, null, Map.of(Event.WAIT, nanos(maxWait)));
        Optional<Lease> lease;
        try {
            lease = lock.tryAcquire(maxWait);
        } catch (OutcomeUnknownException e) {
            record(op, Action.ACQUIRE, Phase.UNKNOWN, name, null, Map.of());
            throw e;
        } catch (RuntimeException | InterruptedException e) {
            record(op, Action.ACQUIRE, Phase.FAIL, name, null, Map.of());
            throw e;
        }
        lease.ifPresentOrElse(
                granted -> granted(op, name, granted),
                () -> record(op, Action.ACQUIRE, Phase.FAIL, name, null, Map.of()));
        return lease;
    }

    private void granted(long op, String name, Lease lease) {
        Map<String, String> time = Map.of(Event.LEASE, nanos(lease.grant().leaseTime()));
        record(op, Action.ACQUIRE, Phase.OK, name, lease.mark(), time);
        lease.onLost(reason -> record(0, Action.LOST, Phase.OK, name, lease.mark(), Map.of("reason", reason.name())));
    }

    /**
     * Renews.
     *
     * @param lease the lease
     * @return whether the renewal was confirmed
     * @throws InterruptedException if interrupted
     */
    public boolean renew(Lease lease) throws InterruptedException {
        long op = operations.incrementAndGet();
        String name = lease.grant().name().value();
        record(op, Action.RENEW, Phase.INVOKE, name, lease.mark(), Map.of());
        Phase outcome = Phase.UNKNOWN;
        try {
            lease.renew();
            outcome = Phase.OK;
            return true;
        } catch (LeaseLostException e) {
            outcome = Phase.FAIL;
            return false;
        } finally {
            record(op, Action.RENEW, outcome, name, lease.mark(), Map.of());
        }
    }

    /**
     * Releases.
     *
     * @param lease the lease
     * @return what was answered
     */
    public Release release(Lease lease) {
        long op = operations.incrementAndGet();
        String name = lease.grant().name().value();
        record(op, Action.RELEASE, Phase.INVOKE, name, lease.mark(), Map.of());
        Release release = lease.release();
        Phase outcome = switch (release) {
            case RELEASED -> Phase.OK;
            case NOT_HELD -> Phase.FAIL;
            case UNKNOWN -> Phase.UNKNOWN;
        };
        record(op, Action.RELEASE, outcome, name, lease.mark(), Map.of());
        return release;
    }

    /**
     * Writes through a fence.
     *
     * @param register the fence
     * @param resource the resource
     * @param mark the holder's
     * @param basedOn the value that the new one was computed from, or null
     * @param value the new value, unique in the history
     * @return whether it was accepted
     */
    public boolean write(
            FencedRegister register, String resource, FenceMark mark, @Nullable String basedOn, String value) {
        long op = operations.incrementAndGet();
        Map<String, String> what =
                basedOn == null ? Map.of(Event.VALUE, value) : Map.of(Event.VALUE, value, Event.BASED_ON, basedOn);
        record(op, Action.WRITE, Phase.INVOKE, resource, mark, what);
        Phase outcome = Phase.UNKNOWN;
        try {
            register.write(resource, mark, value);
            outcome = Phase.OK;
            return true;
        } catch (StaleTokenException e) {
            outcome = Phase.FAIL;
            return false;
        } finally {
            record(op, Action.WRITE, outcome, resource, mark, what);
        }
    }

    /**
     * Records a resource's own decision.
     *
     * @param resource the resource
     * @param number its place in the resource's order
     * @param mark what was shown
     * @param accepted whether it was accepted
     * @param value what was written, or null if the mark was only advanced
     * @param basedOn the value that it was computed from, or null
     */
    public void applied(
            String resource,
            long number,
            FenceMark mark,
            boolean accepted,
            @Nullable String value,
            @Nullable String basedOn) {
        Map<String, String> more = new HashMap<>();
        more.put(Event.NUMBER, Long.toString(number));
        more.put(value == null ? Event.ADVANCE : Event.VALUE, value == null ? "true" : value);
        if (basedOn != null) {
            more.put(Event.BASED_ON, basedOn);
        }
        record(0, Action.APPLY, accepted ? Phase.OK : Phase.FAIL, resource, mark, more);
    }

    /**
     * Records the begin of a fault.
     *
     * @param kind the fault
     * @param whom the worker, or {@code *} for all
     * @param lock the lock, or empty for all
     * @return ends the fault when run
     */
    public Runnable fault(Fault kind, String whom, String lock) {
        long op = operations.incrementAndGet();
        Map<String, String> more = Map.of(Event.FAULT, kind.name().toLowerCase(Locale.ROOT));
        sink.accept(new Event(System.nanoTime(), whom, op, Action.FAULT, Phase.INVOKE, lock, 0, "", more));
        return () -> sink.accept(new Event(System.nanoTime(), whom, op, Action.FAULT, Phase.OK, lock, 0, "", more));
    }

    /**
     * Records what was left on the server.
     *
     * @param store the store
     * @param count how many entries
     */
    public void residue(String store, long count) {
        record(0, Action.RESIDUE, Phase.OK, store, null, Map.of(Event.COUNT, Long.toString(count)));
    }

    private static String nanos(Duration time) {
        return Long.toString(time.toNanos());
    }

    private void record(
            long op, Action action, Phase phase, String subject, @Nullable FenceMark mark, Map<String, String> more) {
        long token = mark == null ? 0 : mark.token();
        String holder =
                mark == null || mark.holder() == null ? "" : mark.holder().value();
        sink.accept(new Event(System.nanoTime(), process, op, action, phase, subject, token, holder, more));
    }
}
