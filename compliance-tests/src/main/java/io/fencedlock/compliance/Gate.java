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

/** A TCP proxy on loopback before one server, that stalls, kills connections, and swallows a reply. */
final class Gate implements AutoCloseable {

    private static final Map<String, Integer> DEFAULT_PORTS =
            Map.of("redis", 6379, "rediss", 6379, "zookeeper", 2181, "zookeepers", 2281, "etcd", 2379, "etcds", 2379);
    private static final int BUFFER = 64 * 1024;
    /** Replies that come this long after the first swallowed one are swallowed, too: some belong to the same request. */
    private static final long SWALLOW_MILLIS = 60;

    private final String host;
    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean stalled;
    private boolean asked;
    private boolean swallowing;

    Gate(String target, String scheme) {
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
            run("requests", () -> pump(client, server, false));
            pump(server, client, true);
        } catch (IOException e) {
            end(client);
        }
    }

    private void pump(Socket from, Socket to, boolean replies) {
        byte[] buffer = new byte[BUFFER];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (passes(replies)) {
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

    private synchronized boolean passes(boolean reply) throws InterruptedException {
        while (stalled) {
            wait();
        }
        if (!swallowing) {
            return true;
        }
        if (!reply) {
            asked = true;
        } else if (asked) {
            asked = false;
            run("swallow", this::endSwallowing);
        }
        return !reply;
    }

    private void endSwallowing() {
        try {
            Thread.sleep(SWALLOW_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            swallowing = false;
        }
        kill();
    }

    synchronized void stall() {
        stalled = true;
    }

    synchronized void heal() {
        stalled = false;
        swallowing = false;
        notifyAll();
    }

    synchronized void loseNextReply() {
        swallowing = true;
        asked = false;
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
