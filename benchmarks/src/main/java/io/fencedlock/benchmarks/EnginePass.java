package io.fencedlock.benchmarks;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.LockOptions;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What JMH runs for W9: acquire and release on the in-memory store, so that all time is the engine's. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EnginePass {

    private final FencedLocks locks = FencedLocks.connect("memory:");
    private final FencedLock renewed = locks.get("renewed");
    private final FencedLock unrenewed =
            locks.get("unrenewed", LockOptions.lease(Duration.ofSeconds(10)).withoutRenewal());

    /** For JMH. */
    public EnginePass() {}

    /**
     * A lease that the engine renews.
     *
     * @return what the release did
     * @throws InterruptedException never
     */
    @Benchmark
    public Release renewedLease() throws InterruptedException {
        return renewed.acquire().release();
    }

    /**
     * A lease that it does not.
     *
     * @return what the release did
     * @throws InterruptedException never
     */
    @Benchmark
    public Release unrenewedLease() throws InterruptedException {
        return unrenewed.acquire().release();
    }

    /** Closes the client. */
    @TearDown
    public void close() {
        locks.close();
    }
}
