package io.fencedlock.compliance;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.ManualClock;
import io.fencedlock.MemoryRegister;
import io.fencedlock.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/** The in-memory reference on manual clocks. What is done to its backends and clients makes it a mutant. */
final class MemoryTarget implements ComplianceTarget {

    private final ManualClock clock = new ManualClock();
    private final SteppedPace pace = new SteppedPace(clock);
    private final MemoryStore store = new MemoryStore(clock);
    private final MemoryRegister register = new MemoryRegister();
    private final Changes changes;
    private final MemoryControls controls;

    /**
     * What a mutant does to the parts of the reference.
     *
     * @param name its name
     * @param backend wraps each backend, between the line and the store
     * @param outer wraps each breakable backend, between the client and the line
     * @param client wraps each client
     * @param register wraps the register
     * @param residue what is left on the server beside the store's own entries
     */
    record Changes(
            String name,
            UnaryOperator<FencedLockBackend> backend,
            UnaryOperator<FencedLockBackend> outer,
            UnaryOperator<FencedLocks> client,
            UnaryOperator<FencedRegister> register,
            IntSupplier residue) {

        static Changes none(String name) {
            return new Changes(
                    name,
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    () -> 0);
        }
    }

    MemoryTarget() {
        this(clock -> Changes.none("memory"));
    }

    MemoryTarget(Function<ManualClock, Changes> changes) {
        this.changes = changes.apply(clock);
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

    FencedLockBackend breakable(FencedLockBackend line) {
        return changes.outer().apply(line);
    }

    long entries() {
        return (long) store.size() + changes.residue().getAsInt();
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
