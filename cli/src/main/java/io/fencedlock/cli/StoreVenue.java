package io.fencedlock.cli;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLocks;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** A real store, and workers that are processes. */
final class StoreVenue implements Venue {
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final Optional<Server> server;
    private final String backend;
    private final String place;
    private final boolean ours;
    private final Cast cast;
    private int subjects;

    private StoreVenue(Optional<Server> server, String url, String place, TokenSource tokens, Duration lease)
            throws InterruptedException {
        this.server = server;
        this.place = place;
        ours = server.map(Server::canBeHarmed).orElse(false);
        BackendProfile profile = reach(url);
        backend = profile.backend();
        Duration granted = rounded(lease, profile);
        Message address = Message.report().with("url", url).with("lease", granted.toMillis() + "ms");
        Message where = tokens.option(backend)
                .map(option -> address.with("tokens", option))
                .orElse(address);
        List<Worker> workers = Stream.of("worker-A", "worker-B", "worker-C")
                .<Worker>map(name -> new JvmWorker(name, where))
                .toList();
        Duration patience = granted.plus(profile.expirySlack()).plus(MARGIN);
        cast = new Cast(workers, System::nanoTime, granted, patience, "SIGSTOP");
    }

    /** On a throw-away server. */
    static StoreVenue of(Store store, TokenSource tokens, Duration lease) throws InterruptedException {
        Server server = Servers.start(store);
        try {
            String place = store.scheme() + " " + server.version();
            return new StoreVenue(Optional.of(server), server.url(), place, tokens, lease);
        } catch (RuntimeException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /** On a server of the user's. */
    static StoreVenue at(String url, TokenSource tokens, Duration lease) throws InterruptedException {
        return new StoreVenue(Optional.empty(), url, withoutSecrets(url), tokens, lease);
    }

    private static String withoutSecrets(String url) {
        return url.replaceFirst("//[^/?]*@", "//").replaceFirst("\\?.*", "");
    }

    /** Fails before any worker is started. */
    private static BackendProfile reach(String url) throws InterruptedException {
        try (FencedLocks probe = FencedLocks.configure().url(url).connect()) {
            if (probe.profile().backend().equals("memory")) {
                throw CommandFailure.wrongInput("memory: cannot be shared by processes; use --on memory");
            }
            Target.patiently(() -> probe.inspect("fencedlock-replay"));
            return probe.profile();
        }
    }

    private static Duration rounded(Duration lease, BackendProfile profile) {
        Duration least = lease.compareTo(profile.smallestLease()) < 0 ? profile.smallestLease() : lease;
        long grain = Math.max(1, profile.leaseGranularity().toMillis());
        return Duration.ofMillis((least.toMillis() + grain - 1) / grain * grain);
    }

    @Override
    public String backend() {
        return backend;
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public Cast cast() {
        return cast;
    }

    @Override
    public String newSubject() {
        subjects++;
        return ours ? "invoice-" + (1040 + subjects) : "fencedlock-replay-" + UUID.randomUUID();
    }

    @Override
    public void close() {
        cast.close();
        server.ifPresent(Server::close);
    }
}
