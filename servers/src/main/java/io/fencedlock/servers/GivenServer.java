package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** A server whose address the user gave: it can be asked, nothing more. */
final class GivenServer implements Server {
    private final Store store;
    private final String url;
    private final InetSocketAddress address;
    private final Kind kind;

    private GivenServer(Store store, String url, InetSocketAddress address) {
        this.store = store;
        this.url = url;
        this.address = address;
        this.kind = Kind.of(store);
    }

    /** Understands {@code scheme://[user:password@]host:port[,more][/path][?options]}; the first host is the one that is pinged. */
    static GivenServer of(Store store, String url) {
        String allowed = store.scheme() + "://host:port";
        if (!url.startsWith(store.scheme() + "://")) {
            throw new ServerUnavailableException("the address in " + store.addressProperty() + " or "
                    + store.addressVariable() + " must be " + allowed + ", but begins with another scheme");
        }
        String authority = url.substring(url.indexOf("://") + 3).split("[/?]", 2)[0];
        String hosts = authority.substring(authority.lastIndexOf('@') + 1);
        URI first = URI.create("tcp://" + hosts.split(",", 2)[0]);
        if (first.getHost() == null || first.getPort() < 0) {
            throw new ServerUnavailableException("the address in " + store.addressProperty() + " or "
                    + store.addressVariable() + " must be " + allowed + ", found the host part " + hosts);
        }
        return new GivenServer(store, url, new InetSocketAddress(first.getHost(), first.getPort()));
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public Optional<InetSocketAddress> tlsAddress() {
        return Optional.empty();
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public String tlsUrl() {
        throw new IllegalStateException("a server that the user gave is used without TLS: " + this);
    }

    @Override
    public String version() {
        return kind.version(address).orElse("unknown");
    }

    @Override
    public String origin() {
        return "the address given";
    }

    @Override
    public boolean canBeHarmed() {
        return false;
    }

    @Override
    public void pause() {
        throw untouchable();
    }

    @Override
    public void resume() {
        throw untouchable();
    }

    @Override
    public void kill() {
        throw untouchable();
    }

    @Override
    public void stop() {
        throw untouchable();
    }

    @Override
    public void restart(Data data) {
        throw untouchable();
    }

    @Override
    public void stepClock(Duration by) {
        throw untouchable();
    }

    @Override
    public Disturbance slowDisk(int writesPerSecond) {
        throw untouchable();
    }

    private UnsupportedOperationException untouchable() {
        return new UnsupportedOperationException(
                "the " + store.title() + " server was given by its address, so it is not ours to harm");
    }

    @Override
    public void awaitReady(Duration limit) {
        Wait.until(
                limit,
                () -> "the given " + store.title() + " server at " + address + " does not answer",
                this::answers);
    }

    @Override
    public boolean answers() {
        return kind.answers(address);
    }

    @Override
    public Contents contents() {
        throw untouchable();
    }

    @Override
    public Optional<Long> pid() {
        return Optional.empty();
    }

    @Override
    public void close() {
        // not ours
    }

    /** Without the URL, which may hold a password. */
    @Override
    public String toString() {
        return store.title() + " " + address;
    }
}
