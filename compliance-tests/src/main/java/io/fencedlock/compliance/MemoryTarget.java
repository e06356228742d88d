package io.fencedlock.compliance;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.ManualClock;
import io.fencedlock.MemoryRegister;
import io.fencedlock.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The in-memory reference on manual clocks. What is done to its backends and clients makes it a mutant. */
final class MemoryTarget implements ComplianceTarget {

    private final ManualClock clock = new ManualClock();
    private final SteppedPace pace = new SteppedPace(clock);
    private final MemoryStore store = new MemoryStore(clock);
    private final MemoryRegister register = new MemoryRegister();
    private final Changes changes;
    private final MemoryControls controls;

    /** What a mutant does to the parts of the reference. */
    record Changes(
            String name,
            UnaryOperator<FencedLockBackend> backend,
            UnaryOperator<FencedLocks> client,
            UnaryOperator<FencedRegister> register) {

        static final Changes NONE =
                new Changes("memory", UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());
    }

    MemoryTarget() {
        this(Changes.NONE);
    }

    MemoryTarget(Changes changes) {
        this.changes = changes;
        controls = new MemoryControls(this);
    }

    @Override
    public String name() {
        return changes.name();
    }

    @Override
    public FencedLocks open(Duration lease) {
        return open(lease, bare(), clock);
    }

    FencedLocks open(Duration lease, FencedLockBackend backend, ManualClock itsClock) {
        String time = lease.toMillis() + "ms";
        return changes.client()
                .apply(FencedLocks.configure().option("lease", time).connect(backend, itsClock));
    }

    FencedLockBackend bare() {
        return changes.backend().apply(store.backend());
    }

    MemoryStore store() {
        return store;
    }

    SteppedPace stepped() {
        return pace;
    }

    ManualClock clock() {
        return clock;
    }

    @Override
    public Optional<FencedRegister> openRegister() {
        return Optional.of(changes.register().apply(register));
    }

    @Override
    public Optional<FencedLockBackend> openBackend() {
        return Optional.of(bare());
    }

    @Override
    public Optional<String> url() {
        return Optional.of("memory:");
    }

    @Override
    public Controls controls() {
        return controls;
    }

    @Override
    public Pace pace() {
        return pace;
    }
}
