package io.fencedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A name with options; the engine does the work. */
final class EngineLock implements FencedLock {

    /** About 146 years: never reached, and far from overflow. */
    static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final LockEngine engine;
    private final LockName name;
    private final LockOptions options;

    EngineLock(LockEngine engine, LockName name, LockOptions options) {
        this.engine = engine;
        this.name = name;
        this.options = options;
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return await(FOREVER).orElseThrow();
    }

    @Override
    public Optional<Lease> tryAcquire() throws InterruptedException {
        return await(Duration.ZERO);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return await(checked(maxWait));
    }

    private Optional<Lease> await(Duration maxWait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before lock " + name + " was asked for");
        }
        return engine.start(name, options, maxWait).await();
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return engine.start(name, options, FOREVER).async(Optional::orElseThrow);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return engine.start(name, options, Duration.ZERO).async(lease -> lease);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return engine.start(name, options, checked(maxWait)).async(lease -> lease);
    }

    private static Duration checked(Duration maxWait) {
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("maxWait takes zero or a positive duration, found " + maxWait);
        }
        return maxWait.compareTo(FOREVER) < 0 ? maxWait : FOREVER;
    }

    @Override
    public String toString() {
        return "FencedLock[" + name + "]";
    }
}
