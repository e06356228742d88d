package io.fencedlock.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Starts real servers for tests and demonstrations. Tried in this order: the address of a running server in the system property
 * {@code fencedlock.servers.redis} ({@code .zookeeper}, {@code .etcd}, {@code .postgresql}, {@code .mariadb}) or the environment
 * variable {@code FENCEDLOCK_SERVERS_REDIS}; a container, when a Docker daemon answers (not for databases); a program on the PATH; a package of the distribution (Debian, Ubuntu), unpacked into a cache
 * without touching the system; for ZooKeeper its own jar. {@code fencedlock.servers.ways} ({@code address,docker,path,package,jar})
 * narrows the choice. Which way was taken is printed once for each store, on standard error.
 *
 * <p>Thread-safe. Blocks until the server answers: a moment as a rule, some seconds when a package has to be downloaded first.
 */
public final class Servers {
    private static final Duration GIVEN = Duration.ofSeconds(30);
    private static final Set<Store> TOLD = EnumSet.noneOf(Store.class);

    private Servers() {}

    /**
     * Starts a server with default options.
     *
     * @param store which store
     * @return the server, ready
     * @throws ServerUnavailableException if there is no way to one; nothing is left running
     */
    public static Server start(Store store) {
        return start(store, ServerOptions.defaults());
    }

    /**
     * Starts a server.
     *
     * @param store which store
     * @param options how
     * @return the server, ready
     * @throws ServerUnavailableException if there is no way to one; nothing is left running
     */
    public static Server start(Store store, ServerOptions options) {
        List<String> reasons = new ArrayList<>();
        WallClock.check(store, options);
        for (Way way : Way.to(store)) {
            try {
                Server server = start(way, store, options);
                tell(server);
                return server;
            } catch (NotHere e) {
                reasons.add(e.reason());
            }
        }
        throw new ServerUnavailableException(Advice.nothingFound(store, options, reasons));
    }

    private static Server start(Way way, Store store, ServerOptions options) throws NotHere {
        return way == Way.ADDRESS ? given(store, options) : own(store, options, BodyMaker.of(way, store, options));
    }

    private static Server given(Store store, ServerOptions options) throws NotHere {
        String url = Settings.get(store.addressProperty())
                .orElseThrow(() ->
                        new NotHere("no address in " + store.addressProperty() + " or " + store.addressVariable()));
        if (!options.acceptGivenServer()) {
            throw new NotHere("the address given cannot serve a test that changes or harms the server");
        }
        Server server = GivenServer.of(store, url);
        try {
            server.awaitReady(GIVEN);
        } catch (IllegalStateException e) {
            throw new ServerUnavailableException(String.valueOf(e.getMessage()), e);
        }
        return server;
    }

    private static Server own(Store store, ServerOptions options, BodyMaker body) throws NotHere {
        try {
            return Ports.tryAgain(() -> OwnServer.start(Kind.of(store), body.make(), options));
        } catch (IllegalStateException e) {
            throw new ServerUnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    static void tell(Server server) {
        synchronized (TOLD) {
            if (TOLD.add(server.store())) {
                say(server.store().title() + " " + server.version() + ": " + server.origin());
            }
        }
    }

    /** To people: standard output may belong to a program. */
    static void say(String line) {
        System.err.println("fencedlock servers: " + line);
    }
}
