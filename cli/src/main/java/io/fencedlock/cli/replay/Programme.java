package io.fencedlock.cli.replay;

import io.fencedlock.cli.TokenSource;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens venues for scenarios, as few as will do. Used by one thread. */
final class Programme implements AutoCloseable {
    private final Director director;
    private final Duration lease;
    private final boolean serverFaults;
    private @Nullable Database database;

    Programme(Director director, Duration lease, boolean serverFaults) {
        this.director = director;
        this.lease = lease;
        this.serverFaults = serverFaults;
    }

    /** A store that was chosen to play on. */
    interface House {
        /** Opens a venue for what is needed, if the house has it. */
        Venue open(Staging staging, Needs needs) throws InterruptedException;

        /** Whether that takes a venue of its own. */
        default boolean hasApart(Needs needs) {
            return false;
        }
    }

    static House throwAway(String backend) {
        if (backend.equals("memory")) {
            return (staging, needs) -> new MemoryVenue(staging);
        }
        Store store = Store.valueOf(backend.toUpperCase(Locale.ROOT));
        return new House() {
            @Override
            public Venue open(Staging staging, Needs needs) throws InterruptedException {
                return hasApart(needs) ? new ClusterVenue(store, staging, needs) : StoreVenue.of(store, staging);
            }

            @Override
            public boolean hasApart(Needs needs) {
                return needs == Needs.CLUSTER || (needs == Needs.REDLOCK && store == Store.REDIS);
            }
        };
    }

    static House at(String url) {
        return (staging, needs) -> StoreVenue.at(url, staging);
    }

    /** A textbook counter begins at 1 only on a fresh server, so each of its runs gets one. */
    void play(House house, List<Scenario> scenarios, TokenSource source, List<Boolean> fencing)
            throws InterruptedException {
        if (source == TokenSource.DEFAULT) {
            playOn(house, where(scenarios, needs -> !house.hasApart(needs)), source, fencing);
            for (Needs apart : List.of(Needs.CLUSTER, Needs.REDLOCK)) {
                playOn(house, where(scenarios, needs -> needs == apart && house.hasApart(apart)), source, fencing);
            }
            return;
        }
        for (Scenario one : scenarios) {
            for (boolean on : fencing) {
                playOn(house, List.of(one), source, List.of(on));
            }
        }
    }

    private static List<Scenario> where(List<Scenario> scenarios, Predicate<Needs> condition) {
        return scenarios.stream().filter(one -> condition.test(one.needs())).toList();
    }

    private void playOn(House house, List<Scenario> scenarios, TokenSource source, List<Boolean> fencing)
            throws InterruptedException {
        List<Scenario> with = scenarios.stream()
                .filter(one -> fencing.stream().anyMatch(one.fencing()::contains))
                .toList();
        if (with.isEmpty()) {
            return;
        }
        Optional<Supplier<Database>> resource = with.stream().anyMatch(one -> one.resource() == Resource.DATABASE)
                ? Optional.of(this::database)
                : Optional.empty();
        Staging staging = new Staging(source, lease, resource, serverFaults);
        try (Venue venue = house.open(staging, with.get(0).needs())) {
            for (Scenario one : with) {
                director.play(
                        venue,
                        one,
                        source,
                        one.fencing().stream().filter(fencing::contains).toList());
            }
        }
    }

    /** One for all venues, once it is needed. */
    private Database database() {
        Database open = database == null ? Database.server() : database;
        database = open;
        return open;
    }

    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
    }
}
