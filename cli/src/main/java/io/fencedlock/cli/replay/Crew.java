package io.fencedlock.cli.replay;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderInfo;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.cli.CommandFailure;
import io.fencedlock.cli.Target;
import io.fencedlock.cli.TokenSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The workers of a venue that are processes; started when they are first asked for. Used by one thread. */
final class Crew implements AutoCloseable {
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final BackendProfile profile;
    private final List<String> urls;
    private final TokenSource tokens;
    private final Duration lease;
    private final Optional<Database> database;
    private @Nullable Cast cast;

    /**
     * Reaches the store; fails before any worker is started.
     *
     * @param url the store
     * @param urlOfA the way to it for worker-A
     */
    Crew(String url, String urlOfA, TokenSource tokens, Duration lease, Optional<Database> database)
            throws InterruptedException {
        profile = reach(url);
        urls = List.of(urlOfA, url, url);
        this.tokens = tokens;
        this.lease = rounded(lease, profile);
        this.database = database;
    }

    private static BackendProfile reach(String url) throws InterruptedException {
        try (FencedLocks probe = FencedLocks.configure().url(url).connect()) {
            if (probe.profile().backend().equals("memory")) {
                throw CommandFailure.wrongInput("memory: cannot be shared by processes; use --on memory");
            }
            Target.patiently(() -> look(probe));
            return probe.profile();
        }
    }

    /** A question without an answer did nothing, so it may be asked again. */
    private static Optional<HolderInfo> look(FencedLocks probe) throws InterruptedException {
        try {
            return probe.inspect("fencedlock-replay");
        } catch (OutcomeUnknownException e) {
            throw new BackendUnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Duration rounded(Duration lease, BackendProfile profile) {
        Duration least = lease.compareTo(profile.smallestLease()) < 0 ? profile.smallestLease() : lease;
        long grain = Math.max(1, profile.leaseGranularity().toMillis());
        return Duration.ofMillis((least.toMillis() + grain - 1) / grain * grain);
    }

    String backend() {
        return profile.backend();
    }

    Cast cast() {
        Cast current = cast == null ? start() : cast;
        cast = current;
        return current;
    }

    private Cast start() {
        List<Worker> workers = List.of(
                new JvmWorker("worker-A", place(0)),
                new JvmWorker("worker-B", place(1)),
                new JvmWorker("worker-C", place(2)));
        Duration patience = lease.plus(profile.expirySlack()).plus(MARGIN);
        return new Cast(workers, new RealClock(), lease, patience, "SIGSTOP");
    }

    private Message place(int worker) {
        Message place = Message.report().with("url", urls.get(worker)).with("leaseMs", lease.toMillis());
        Optional<String> option = tokens.option(profile.backend());
        Message withTokens = option.isPresent() ? place.with("tokens", option.get()) : place;
        return database.isPresent() ? database.get().into(withTokens) : withTokens;
    }

    Optional<String> database() {
        return database.map(Database::words);
    }

    /** Ends the workers; the next ones are new. */
    @Override
    public void close() {
        if (cast != null) {
            cast.close();
        }
        cast = null;
    }
}
