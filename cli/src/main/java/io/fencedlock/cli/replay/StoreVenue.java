package io.fencedlock.cli.replay;

import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** A real store on one URL, and workers that are processes; worker-A's connections go through a proxy where that can be. */
final class StoreVenue implements Venue {
    private final Optional<Server> server;
    private final Optional<Location> location;
    private final Optional<FaultProxy> proxy;
    private final String place;
    private final boolean ours;
    private final boolean faultsAllowed;
    private final Crew crew;

    private StoreVenue(Optional<Server> server, String url, String place, Staging staging) throws InterruptedException {
        this.server = server;
        this.place = place;
        ours = server.map(Server::canBeHarmed).orElse(false);
        faultsAllowed = ours || staging.serverFaults();
        location = Location.of(url);
        proxy = location.map(at -> FaultProxy.to(at.address()));
        String urlOfA =
                proxy.map(it -> location.orElseThrow().url(it.address())).orElse(url);
        boolean open = false;
        try {
            crew = new Crew(
                    url,
                    urlOfA,
                    staging.tokens(),
                    staging.lease(),
                    staging.database().map(Supplier::get));
            open = true;
        } finally {
            if (!open) {
                proxy.ifPresent(FaultProxy::close);
            }
        }
    }

    /** On a throw-away server. */
    static StoreVenue of(Store store, Staging staging) throws InterruptedException {
        Server server = Servers.start(store);
        boolean open = false;
        try {
            String place = store.scheme() + " " + server.version();
            StoreVenue venue = new StoreVenue(Optional.of(server), server.url(), place, staging);
            open = true;
            return venue;
        } finally {
            if (!open) {
                server.close();
            }
        }
    }

    /** On a server of the user's. */
    static StoreVenue at(String url, Staging staging) throws InterruptedException {
        return new StoreVenue(Optional.empty(), url, withoutSecrets(url), staging);
    }

    private static String withoutSecrets(String url) {
        return url.replaceFirst("//[^/?]*@", "//").replaceFirst("\\?.*", "");
    }

    @Override
    public String backend() {
        return crew.backend();
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public Cast cast() {
        return crew.cast();
    }

    @Override
    public void dismiss() {
        crew.close();
    }

    @Override
    public String subject(int run) {
        return ours ? "invoice-" + (1040 + run) : "fencedlock-replay-" + UUID.randomUUID();
    }

    @Override
    public Optional<String> lacks(Needs needs) {
        return switch (needs) {
            case NOTHING -> Optional.empty();
            case ARTICLE_LOCK ->
                unless(
                        location.map(Location::loginIsSimple).orElse(false),
                        "its lock is written for one server without TLS and login");
            case CUT -> unless(location.isPresent(), "worker-A can be cut off from one server without TLS only");
            case DELETE ->
                faultsAllowed
                        ? unless(
                                location.map(at -> at.loginIsSimple() && at.hasDefaultPrefix())
                                        .orElse(false),
                                "it needs one server without TLS and login, and the default prefix")
                        : Optional.of("it deletes all locks and counters of this library there, which"
                                + " --allow-server-faults would allow");
            case RESTART -> unless(ours, "it restarts the server without its data, and this server is not ours");
            case CLUSTER -> Optional.of("it kills a node of a cluster of its own, which --on starts");
            case REDLOCK -> Optional.of("it is about independent Redis nodes, which --on redis starts");
        };
    }

    private static Optional<String> unless(boolean met, String lack) {
        return met ? Optional.empty() : Optional.of(lack);
    }

    @Override
    public Faults faults() {
        return new ServerFaults(location, proxy, server);
    }

    @Override
    public Optional<String> database() {
        return crew.database();
    }

    @Override
    public boolean startsCold() {
        return true;
    }

    @Override
    public void close() {
        crew.close();
        proxy.ifPresent(FaultProxy::close);
        server.ifPresent(Server::close);
    }
}
