package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports of this machine. They lie below the range from which systems take ports for outgoing connections, so that a port
 * stays free while its server is down; and port + 10000, which a Redis Cluster node uses as well, does so, too.
 */
final class Ports {
    private static final int FIRST = 15_000;
    private static final int END = 22_700;
    private static final int CLUSTER_BUS = 10_000;
    private static final int TRIES = 5;
    private static final Set<Integer> TAKEN = new HashSet<>();

    private Ports() {}

    /** A port on which nothing listens and that this JVM gives away once. */
    static int free() {
        synchronized (TAKEN) {
            for (int tries = 0; tries < 10_000; tries++) {
                int port = ThreadLocalRandom.current().nextInt(FIRST, END);
                if (!TAKEN.contains(port) && isFree(port) && isFree(port + CLUSTER_BUS)) {
                    TAKEN.add(port);
                    return port;
                }
            }
        }
        throw new IllegalStateException("no free TCP port between " + FIRST + " and " + END);
    }

    /** Does what takes free ports. */
    interface Use<T, E extends Exception> {
        T begin() throws E;
    }

    /** Another program may take a port between our look and its use: then it is tried again, on another one. */
    static <T, E extends Exception> T tryAgain(Use<T, E> use) throws E {
        for (int tries = 1; ; tries++) {
            try {
                return use.begin();
            } catch (PortTakenException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    static void giveBack(int port) {
        synchronized (TAKEN) {
            TAKEN.remove(port);
        }
    }

    /** 127.0.0.1, which is also its host string; {@link InetAddress#getLoopbackAddress} may be another one. */
    static InetSocketAddress onLoopback(int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1}), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    static InetSocketAddress on(String host, int port) {
        return host.equals("127.0.0.1") ? onLoopback(port) : new InetSocketAddress(host, port);
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress((InetAddress) null, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
