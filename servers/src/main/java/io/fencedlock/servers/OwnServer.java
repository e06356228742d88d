package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** A server that this JVM started, and may do anything to. */
final class OwnServer implements Server {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final Duration STILL = Duration.ofSeconds(10);

    private final Store store;
    private final Kind kind;
    private final Body body;
    private final Node node;
    private final ServerOptions options;
    private final Kind.Plan plan;
    private final Seat seat;
    private final Predicate<OwnServer> ready;
    private String version = "";
    private boolean closed;

    private OwnServer(Kind kind, Body body, Seat seat, ServerOptions options, Predicate<OwnServer> ready) {
        this.store = kind.store();
        this.kind = kind;
        this.body = body;
        this.seat = seat;
        this.ready = ready;
        this.options = options;
        this.node = body.node(seat.port(), seat.tlsPort());
        this.plan = kind.plan(node, options);
    }

    /** A server on its own: it is started, and again after a restart, when it serves. */
    static OwnServer start(Kind kind, Body body, ServerOptions options) {
        return new OwnServer(kind, body, Seat.take(), options, OwnServer::answers).started();
    }

    /** A member of a cluster: it is started when it listens, since it cannot serve before others do. */
    static OwnServer startMember(Kind kind, Body body, Seat seat, ServerOptions options) {
        return new OwnServer(kind, body, seat, options, OwnServer::listens).started();
    }

    private OwnServer started() {
        boolean up = false;
        try {
            body.prepare(plan);
            body.launch(plan);
            await(READY, ready);
            up = true;
            return this;
        } finally {
            if (!up) {
                close();
            }
        }
    }

    private boolean listens() {
        try (Wire wire = Wire.connect(address())) {
            return wire.isOpen();
        } catch (IOException e) {
            return false;
        }
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

    /** The port that clients are told: the proxy's, if there is one. */
    int announcedPort() {
        return seat.announced();
    }

    /** By which its packets are told from others'. */
    Optional<Group> group() {
        return body.group();
    }

    Optional<FaultProxy> proxy() {
        return seat.proxy();
    }

    /** Asked once: a killed server does not tell. */
    @Override
    public synchronized String version() {
        if (version.isEmpty()) {
            version = body.version(kind, address());
        }
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
        if (body.pid().isEmpty()) { // in a container: the signal is sent, but nobody tells when it has taken effect
            Wait.until(
                    STILL, () -> "the " + store.title() + " server at " + url() + " does not stop", () -> !answers());
        }
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
        await(READY, ready);
    }

    @Override
    public synchronized void stepClock(Duration by) {
        body.stepClock(by);
    }

    @Override
    public synchronized Disturbance slowDisk(int writesPerSecond) {
        return body.slowDisk(writesPerSecond);
    }

    @Override
    public void awaitReady(Duration limit) {
        await(limit, OwnServer::answers);
    }

    private void await(Duration limit, Predicate<OwnServer> condition) {
        Wait.until(limit, () -> "the " + store.title() + " server at " + url() + " is not ready", () -> {
            if (!body.running()) {
                throw ended();
            }
            return body.owns(node.port()) && condition.test(this);
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
    public Contents contents() {
        return kind.contents(address());
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
        seat.close();
    }

    @Override
    public String toString() {
        return store.title() + " " + url();
    }
}
