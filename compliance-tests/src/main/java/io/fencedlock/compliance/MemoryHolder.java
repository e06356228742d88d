package io.fencedlock.compliance;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.ManualClock;
import io.fencedlock.StaleTokenException;
import io.fencedlock.compliance.BreakableBackend.Line;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A holder with a clock of its own: when that stands still, its timers do what those of a stopped process do, nothing. */
final class MemoryHolder implements HolderProcess {

    private final MemoryTarget target;
    private final ManualClock clock = new ManualClock();
    private final BreakableBackend backend;
    private final FencedLocks client;
    private final AtomicInteger told = new AtomicInteger();
    private @Nullable Lease lease;
    private long pausedAt;

    MemoryHolder(MemoryTarget target, Duration lease) {
        this.target = target;
        backend = new BreakableBackend(target.bare(), Line.WHOLE);
        client = target.open(lease, backend, clock);
        target.stepped().follow(clock);
    }

    @Override
    public FenceMark acquire(String lock) {
        try {
            lease = client.get(lock).tryAcquire().orElseThrow(() -> new RuleBroken("a free lock was not granted"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        lease.onLost(reason -> told.incrementAndGet());
        return lease.mark();
    }

    @Override
    public void startWaiting(String lock) {
        client.get(lock).acquireAsync();
    }

    private Lease held() {
        if (lease == null) {
            throw new IllegalStateException("nothing was acquired");
        }
        return lease;
    }

    @Override
    public boolean write(String resource, String value) {
        try {
            target.openRegister().orElseThrow().write(resource, held().mark(), value);
            return true;
        } catch (StaleTokenException e) {
            return false;
        }
    }

    @Override
    public boolean isValid() {
        return held().isValid();
    }

    @Override
    public int lossesTold() {
        return told.get();
    }

    @Override
    public void pause() {
        target.stepped().leave(clock);
        pausedAt = target.clock().nanos();
    }

    @Override
    public void resume() {
        clock.jump(Duration.ofNanos(target.clock().nanos() - pausedAt));
        target.stepped().follow(clock);
    }

    @Override
    public void kill() {
        target.stepped().leave(clock);
        backend.line(Line.REFUSED);
    }

    @Override
    public void close() {
        target.stepped().leave(clock);
        backend.line(Line.WHOLE); // the test is over: what it holds is given back
        client.close();
    }
}
