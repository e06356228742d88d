package io.fencedlock.compliance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A TCP proxy on loopback before one server, that stalls, kills connections, and swallows a reply. */
final class Gate implements AutoCloseable {

    private static final Map<String, Integer> DEFAULT_PORTS =
            Map.of("redis", 6379, "rediss", 6379, "zookeeper", 2181, "zookeepers", 2281, "etcd", 2379, "etcds", 2379);
    private static final int BUFFER = 64 * 1024;
    private final String host;
    private final int port;
    private final String scheme;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean stalled;
    /** Taken by the request whose reply is to be swallowed: the next one of the client, through whatever gate. */
    private @Nullable AtomicBoolean swallowing;
    /** Where that request went to, if through this gate. */
    private @Nullable Socket asked;

    private boolean answered = true;
    private int roundTrips;

    Gate(String target, String scheme) {
        this.scheme = scheme;
        int colon = target.lastIndexOf(':');
        boolean named = colon > target.lastIndexOf(']') && colon >= 0;
        host = named ? target.substring(0, colon) : target;
        port = named ? Integer.parseInt(target.substring(colon + 1)) : DEFAULT_PORTS.getOrDefault(scheme, 0);
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("accept", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private static void run(String what, Runnable task) {
        Thread thread = new Thread(task, Workers.NAME + "-gate-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                run("connect", () -> connect(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket(host, port);
            sockets.add(server);
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            run("requests", () -> pump(client, server, (bytes, count) -> asks(server)));
            Replies replies = Replies.of(scheme);
            pump(server, client, (bytes, count) -> answers(server, replies.ended(bytes, count)));
        } catch (IOException e) {
            end(client);
        }
    }

    /** Whether bytes may pass; called when the line is not stalled. */
    private interface Rule {
        boolean passes(byte[] bytes, int count);
    }

    private void pump(Socket from, Socket to, Rule rule) {
        byte[] buffer = new byte[BUFFER];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (passes(rule, buffer, n)) {
                    out.write(buffer, 0, n);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // one of the ends is gone: so is the other, now
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private synchronized boolean passes(Rule rule, byte[] bytes, int count) throws InterruptedException {
        while (stalled) {
            wait();
        }
        return rule.passes(bytes, count);
    }

    private boolean asks(Socket server) {
        if (answered) {
            roundTrips++;
            answered = false;
        }
        if (swallowing != null && swallowing.compareAndSet(false, true)) {
            asked = server;
        }
        return true;
    }

    /** The request has taken effect when its reply has come to its end; then the connection is closed, whose end the client sees. */
    private boolean answers(Socket server, boolean ended) {
        answered |= ended;
        if (asked == null) {
            return true;
        }
        if (ended && server.equals(asked)) {
            asked = null;
            kill();
        }
        return false;
    }

    /** How often something was asked after the last answer had come. */
    synchronized int roundTrips() {
        return roundTrips;
    }

    synchronized void stall() {
        stalled = true;
    }

    synchronized void heal() {
        stalled = false;
        swallowing = null;
        asked = null;
        notifyAll();
    }

    /** With the same flag for all gates of the client. */
    synchronized void loseNextReply(AtomicBoolean taken) {
        swallowing = taken;
        asked = null;
    }

    void kill() {
        sockets.forEach(Gate::end);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone, which is what was wanted
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            // it is gone
        }
        heal();
        kill();
    }
}
