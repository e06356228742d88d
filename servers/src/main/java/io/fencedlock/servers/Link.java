package io.fencedlock.servers;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One proxied connection: two sockets and a pipe in each direction. */
final class Link {
    private final Socket client;
    private final Socket server;
    private final Pipe toServer;
    private final Pipe toClient;
    private final Consumer<Link> atEnd;
    private final AtomicBoolean ended = new AtomicBoolean();

    Link(Socket client, Socket server, Fault toServer, Fault toClient, FaultProxy proxy, Consumer<Link> atEnd) {
        this.client = client;
        this.server = server;
        this.atEnd = atEnd;
        this.toServer = new Pipe(client, server, toServer, bytes -> proxy.beforeRequest(this, bytes), this::finish);
        this.toClient = new Pipe(server, client, toClient, proxy::beforeReply, this::finish);
    }

    void start(String name) {
        toServer.start(name + "-to-server");
        toClient.start(name + "-to-client");
    }

    Pipe pipe(FaultProxy.Direction direction) {
        return direction == FaultProxy.Direction.TO_SERVER ? toServer : toClient;
    }

    /** Ends both connections with FIN. */
    void finish() {
        end(false, client, server);
    }

    /** Ends both connections with RST. */
    void cut() {
        end(true, client, server);
    }

    /** Resets the connection of one side and leaves the other side's open and silent. */
    void halfOpen(FaultProxy.Side unaware) {
        toServer.set(Fault.drop());
        toClient.set(Fault.drop());
        reset(unaware == FaultProxy.Side.CLIENT ? server : client);
    }

    private void end(boolean reset, Socket... sockets) {
        if (!ended.compareAndSet(false, true)) {
            return; // the pipes' threads end up here, too, and must not turn a reset into an orderly end
        }
        toServer.close();
        toClient.close();
        for (Socket socket : sockets) {
            if (reset) {
                reset(socket);
            } else {
                close(socket);
            }
        }
        atEnd.accept(this);
    }

    /** A socket that lingers for no time is closed with RST. */
    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException e) {
            // closed already
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing more can be done with it
        }
    }
}
