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
import java.util.function.UnaryOperator;

/** The in-memory reference on manual clocks. What is done to its backends and clients makes it a mutant. */
final class MemoryTarget implements ComplianceTarget, Configured.Opener {

    private final ManualClock clock = new ManualClock();
    private final SteppedPace pace = new SteppedPace(clock);
    private final MemoryStore store = new MemoryStore(clock);
    private final MemoryRegister register = new MemoryRegister();
    private final Changes changes;
    private final MemoryControls controls;

    /** What the reference is: a store that lives in a process, not on a server. */
    private static final Controls WITHOUT_SERVER = new Controls() {
        @Override
        public void restartServer(boolean keepData) {
            throw new NotApplicable("the in-memory store ends with its process");
        }

        @Override
        public void failOver() {
            throw new NotApplicable("the in-memory store has no replica");
        }

        @Override
        public void loseCounter() {
            throw new NotApplicable("the in-memory store's counter is a field of it");
        }

        @Override
        public void stepClock(Duration by) {
            throw new NotApplicable("the in-memory store reads no wall clock after its birth");
        }

        @Override
        public long entries() {
            return 0;
        }
    };

    /**
     * What a mutant does to the parts of the reference.
     *
     * @param name its name
     * @param backend wraps each backend, between the line and the store
     * @param outer wraps each breakable backend, between the client and the line
     * @param client wraps each client
     * @param register wraps the register
     * @param server what breaks on the server; its entries are those beside the store's own
     * @param opener opens clients as they are configured
     */
    record Changes(
            String name,
            UnaryOperator<FencedLockBackend> backend,
            UnaryOperator<FencedLockBackend> outer,
            UnaryOperator<FencedLocks> client,
            UnaryOperator<FencedRegister> register,
            Controls server,
            Configured.Opener opener) {

        static Changes none(String name) {
            return new Changes(
                    name,
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    WITHOUT_SERVER,
                    Configured::open);
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
        return store.size() + changes.server().entries();
    }

    Controls server() {
        return changes.server();
    }

    @Override
    public FencedLocks open(Configured configured) {
        return changes.opener().open(configured);
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
