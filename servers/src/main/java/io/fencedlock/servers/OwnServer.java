package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** A server that this JVM started, and may do anything to. */
final class OwnServer implements Server {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(15);

    private final Store store;
    private final Kind kind;
    private final Body body;
    private final Node node;
    private final ServerOptions options;
    private final Kind.Plan plan;
    private final String version;
    private boolean closed;

    private OwnServer(Store store, Kind kind, Body body, ServerOptions options, int port, int tlsPort) {
        this.store = store;
        this.kind = kind;
        this.body = body;
        this.options = options;
        this.node = body.node(port, tlsPort);
        this.plan = kind.plan(node, options);
        boolean up = false;
        try {
            body.prepare(plan);
            body.launch(plan);
            awaitReady(READY);
            up = true;
        } finally {
            if (!up) {
                close();
            }
        }
        this.version = body.version(kind, address());
    }

    /** Starts a server on free ports. */
    static OwnServer start(Store store, Body body, ServerOptions options) {
        return new OwnServer(store, Kind.of(store), body, options, Ports.free(), Ports.free());
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public InetSocketAddress address() {
        return Ports.on(node.host(), node.port());
    }

    @Override
    public Optional<InetSocketAddress> tlsAddress() {
        return options.hasTls() ? Optional.of(Ports.on(node.host(), node.tlsPort())) : Optional.empty();
    }

    @Override
    public String url() {
        return store.scheme() + "://" + node.host() + ":" + node.port();
    }

    @Override
    public String tlsUrl() {
        if (!options.hasTls()) {
            throw new IllegalStateException("this " + store.title() + " server was started without TLS");
        }
        return store.tlsScheme() + "://" + node.host() + ":" + node.tlsPort();
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String origin() {
        return body.origin();
    }

    @Override
    public boolean canBeHarmed() {
        return true;
    }

    @Override
    public synchronized void pause() {
        body.pause();
    }

    @Override
    public synchronized void resume() {
        body.resume();
    }

    @Override
    public synchronized void kill() {
        body.end(Duration.ZERO);
    }

    @Override
    public synchronized void stop() {
        body.end(GRACE);
    }

    @Override
    public synchronized void restart(Data data) {
        if (closed) {
            throw new IllegalStateException("this " + store.title() + " server is closed");
        }
        body.end(Duration.ZERO);
        if (data == Data.WIPE) {
            body.prepare(plan);
        }
        body.launch(plan);
        awaitReady(READY);
    }

    @Override
    public void awaitReady(Duration limit) {
        Wait.until(limit, () -> "the " + store.title() + " server at " + url() + " is not ready", () -> {
            if (!body.running()) {
                throw ended();
            }
            return body.owns(node.port()) && answers();
        });
    }

    private IllegalStateException ended() {
        if (!Ports.isFree(node.port())) {
            return new PortTakenException(
                    "another process has taken port " + node.port() + " of the " + store.title() + " server");
        }
        return new IllegalStateException(
                "the " + store.title() + " server (" + body.origin() + ") ended: " + body.lastWords());
    }

    @Override
    public boolean answers() {
        return kind.answers(address());
    }

    @Override
    public synchronized Optional<Long> pid() {
        return body.pid();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            body.end(Duration.ZERO);
        } catch (RuntimeException e) {
            Servers.say("a " + store.title() + " server did not end: " + e.getMessage());
        }
        body.remove();
        Ports.giveBack(node.port());
        Ports.giveBack(node.tlsPort());
    }

    @Override
    public String toString() {
        return store.title() + " " + url();
    }
}
