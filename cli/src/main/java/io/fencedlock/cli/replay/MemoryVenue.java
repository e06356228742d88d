package io.fencedlock.cli.replay;

import io.fencedlock.FencedLocks;
import io.fencedlock.ManualClock;
import io.fencedlock.MemoryRegister;
import io.fencedlock.MemoryStore;
import io.fencedlock.cli.TokenSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store in memory: workers are threads of this process, the clock is moved by hand. */
final class MemoryVenue implements Venue {
    private final ManualClock clock = new ManualClock();
    private final MemoryStore store;
    private final MemoryRegister register = new MemoryRegister();
    private final MemoryArticleLock article = new MemoryArticleLock(clock);
    private final Optional<Database> database;
    private final Duration lease;
    private @Nullable Cast cast;

    MemoryVenue(Staging staging) {
        store = staging.tokens() == TokenSource.TEXTBOOK ? new MemoryStore(clock, 0) : new MemoryStore(clock);
        database = staging.database().map(server -> Database.here());
        lease = staging.lease();
    }

    @Override
    public String backend() {
        return "memory";
    }

    @Override
    public String place() {
        return "memory (threads of this process and a clock moved by hand)";
    }

    @Override
    public Cast cast() {
        Cast current = cast == null ? start() : cast;
        cast = current;
        return current;
    }

    private Cast start() {
        List<Worker> workers = List.of(worker("worker-A"), worker("worker-B"), worker("worker-C"));
        return new Cast(workers, new SteppedClock(clock), lease, lease.plusSeconds(10), "by hand");
    }

    private Worker worker(String name) {
        return new ThreadWorker(
                name,
                clock,
                seen -> new Tools(
                        FencedLocks.configure().connect(store.backend(), seen),
                        () -> register,
                        () -> article,
                        database.map(Database::source)));
    }

    @Override
    public void dismiss() {
        if (cast != null) {
            cast.close();
        }
        cast = null;
    }

    @Override
    public String subject(int run) {
        return "invoice-" + (1040 + run);
    }

    @Override
    public Optional<String> lacks(Needs needs) {
        return switch (needs) {
            case NOTHING, ARTICLE_LOCK -> Optional.empty();
            case CUT, DELETE, RESTART, CLUSTER, REDLOCK ->
                Optional.of("the store in memory has no network, no server and no replicas to fail");
        };
    }

    @Override
    public Faults faults() {
        return Faults.NONE;
    }

    @Override
    public Optional<String> database() {
        return database.map(Database::words);
    }

    @Override
    public boolean startsCold() {
        return false;
    }

    @Override
    public void close() {
        dismiss();
        database.ifPresent(Database::close);
    }
}
