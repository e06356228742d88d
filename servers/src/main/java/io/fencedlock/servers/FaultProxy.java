package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on loopback that breaks connections on command. A fault that is set applies to the connections that are open and to those
 * that come, until {@link #heal()}. Thread-safe; no method waits for the peers.
 *
 * <p>Without faults the proxy passes every byte on at once. It uses four daemon threads for each connection. {@link #close()} resets all
 * connections and leaves nothing behind.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;

    /** A direction of the bytes. */
    public enum Direction {
        /** Requests. */
        TO_SERVER,
        /** Replies. */
        TO_CLIENT
    }

    /** An end of a connection. */
    public enum Side {
        /** Who connected to the proxy. */
        CLIENT,
        /** What the proxy connected to. */
        SERVER
    }

    /** A request whose reply shall be lost, once. */
    private record Ambush(Predicate<String> request, boolean thenCut, CompletableFuture<Void> sprung) {}

    private final InetSocketAddress target;
    private final String scheme;
    private final UnaryOperator<byte[]> translation;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Map<Direction, Fault> faults = new EnumMap<>(Direction.class);
    private final AtomicReference<@Nullable Ambush> ambush = new AtomicReference<>();
    private @Nullable Listener listener;
    private boolean closed;

    private FaultProxy(InetSocketAddress target, String scheme, UnaryOperator<byte[]> translation) {
        this.translation = translation;
        this.target = target;
        this.scheme = scheme;
        this.port = Ports.tryAgain(this::listenSomewhere);
    }

    private int listenSomewhere() {
        int free = Ports.free();
        try {
            listener = Listener.on(free, "fault-proxy-" + free, this::connect);
            return free;
        } catch (UncheckedIOException e) {
            throw new PortTakenException("cannot listen on port " + free + ": " + e.getMessage());
        }
    }

    /**
     * A proxy to an address.
     *
     * @param target where connections are passed on to; nothing needs to listen there yet
     * @return the proxy, listening
     */
    public static FaultProxy to(InetSocketAddress target) {
        return to(target, "tcp");
    }

    static FaultProxy to(InetSocketAddress target, String scheme) {
        return new FaultProxy(target, scheme, UnaryOperator.identity());
    }

    /** One that delivers other replies than it gets. */
    static FaultProxy translating(InetSocketAddress target, UnaryOperator<byte[]> translation) {
        return new FaultProxy(target, "tcp", translation);
    }

    /**
     * A proxy to a server's address without TLS.
     *
     * @param server the server
     * @return the proxy, listening; its {@link #url()} has the server's scheme
     */
    public static FaultProxy inFrontOf(Server server) {
        return to(server.address(), server.store().scheme());
    }

    /**
     * Where clients connect; the same over the whole life of the proxy.
     *
     * @return a port of 127.0.0.1
     */
    public InetSocketAddress address() {
        return Ports.onLoopback(port);
    }

    /**
     * The address as a URL.
     *
     * @return for example {@code redis://127.0.0.1:20123}
     */
    public String url() {
        return scheme + "://127.0.0.1:" + port;
    }

    /**
     * How many connections are open.
     *
     * @return the number of connections through the proxy
     */
    public int connections() {
        return links.size();
    }

    /** Ends all faults: new connections are accepted, bytes that were held back are delivered, bytes that were dropped stay lost. */
    public synchronized void heal() {
        ambush.set(null);
        faults.clear();
        links.forEach(
                link -> List.of(Direction.values()).forEach(to -> link.pipe(to).set(Fault.none())));
        if (listener == null) {
            listen();
        }
    }

    /**
     * Sets the fault of one direction.
     *
     * @param direction requests or replies
     * @param fault what becomes of them
     */
    public synchronized void set(Direction direction, Fault fault) {
        faults.put(direction, fault);
        links.forEach(link -> link.pipe(direction).set(fault));
    }

    /**
     * Sets the fault of both directions.
     *
     * @param fault what becomes of requests and replies
     */
    public void set(Fault fault) {
        set(Direction.TO_SERVER, fault);
        set(Direction.TO_CLIENT, fault);
    }

    /** Resets all open connections (RST). New ones are accepted. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** Resets all open connections (RST) and refuses new ones until {@link #heal()}. */
    public synchronized void refuse() {
        stopListening();
        cut();
    }

    /**
     * Resets one side of all open connections; the other side's connection stays open, and nothing ever comes from it: that side cannot
     * notice. New connections are passed on as before.
     *
     * @param unaware the side that notices nothing
     */
    public void halfOpen(Side unaware) {
        links.forEach(link -> link.halfOpen(unaware));
    }

    /**
     * Loses the replies to one request: the first one from now on that matches is passed on, and from then on its connection is silent
     * towards the client until it is cut.
     *
     * @param request is asked for each piece of requests, as ISO 8859-1 text; a small request comes in one piece
     * @return completes when such a request has come, a moment before it is passed on; never if none comes
     */
    public CompletableFuture<Void> loseReply(Predicate<String> request) {
        return lie(new Ambush(request, false, new CompletableFuture<>()));
    }

    /**
     * As {@link #loseReply}, and resets that connection when the first byte of the reply (or anything else) has come from the server: the
     * server has the request, the client a broken connection.
     *
     * @param request is asked for each piece of requests, as ISO 8859-1 text; a small request comes in one piece
     * @return completes when the connection was reset; never if no such request comes
     */
    public CompletableFuture<Void> loseReplyAndCut(Predicate<String> request) {
        return lie(new Ambush(request, true, new CompletableFuture<>()));
    }

    private CompletableFuture<Void> lie(Ambush next) {
        ambush.set(next);
        return next.sprung();
    }

    byte[] beforeReply(byte[] bytes) {
        return translation.apply(bytes);
    }

    /** Called for each piece of a request before it is passed on. */
    byte[] beforeRequest(Link link, byte[] bytes) {
        spring(link, bytes);
        return bytes;
    }

    private void spring(Link link, byte[] bytes) {
        Ambush lying = ambush.get();
        if (lying == null
                || !lying.request().test(new String(bytes, StandardCharsets.ISO_8859_1))
                || !ambush.compareAndSet(lying, null)) {
            return;
        }
        if (lying.thenCut()) {
            link.pipe(Direction.TO_CLIENT).drop(() -> {
                link.cut();
                lying.sprung().complete(null);
            });
        } else {
            link.pipe(Direction.TO_CLIENT).set(Fault.drop());
            lying.sprung().complete(null);
        }
    }

    private void connect(Socket client, String name) {
        Socket server = new Socket();
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target, CONNECT_MILLIS);
        } catch (IOException e) {
            new Link(client, server, Fault.none(), Fault.none(), this, link -> {}).cut();
            return;
        }
        open(client, server).start(name);
    }

    private synchronized Link open(Socket client, Socket server) {
        Fault requests = faults.getOrDefault(Direction.TO_SERVER, Fault.none());
        Fault replies = faults.getOrDefault(Direction.TO_CLIENT, Fault.none());
        Link link = new Link(client, server, requests, replies, this, links::remove);
        links.add(link);
        if (closed || listener == null) {
            link.cut(); // refused while it was being connected
        }
        return link;
    }

    private void listen() {
        listener = Listener.on(port, "fault-proxy-" + port, this::connect);
    }

    private void stopListening() {
        Listener open = listener;
        listener = null;
        if (open != null) {
            open.close();
        }
    }

    /** Resets all connections and stops listening. Never throws; does nothing the second time. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        refuse();
        Ports.giveBack(port);
    }

    @Override
    public String toString() {
        return "fault proxy " + url() + " to " + target;
    }
}
