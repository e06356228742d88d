package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Takes connections on one port of the loopback address, each in a thread of its own, until it is closed. */
final class Listener implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final Duration END = Duration.ofSeconds(5);

    private final ServerSocket socket;
    private final Thread thread;

    private Listener(ServerSocket socket, String name, BiConsumer<Socket, String> taken) {
        this.socket = socket;
        thread = new Thread(() -> accept(name, taken), name);
        thread.setDaemon(true);
    }

    /** @param taken is given each connection, and a name for what it starts */
    static Listener on(int port, String name, BiConsumer<Socket, String> taken) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(Ports.onLoopback(port), BACKLOG);
            Listener listener = new Listener(socket, name, taken);
            listener.thread.start();
            return listener;
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot listen on port " + port, e);
        }
    }

    private void accept(String name, BiConsumer<Socket, String> taken) {
        int count = 0;
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                String each = name + "-" + ++count;
                // One that is slow must not keep others waiting.
                Thread own = new Thread(() -> taken.accept(client, each), each);
                own.setDaemon(true);
                own.start();
            } catch (IOException e) {
                // closed
            }
        }
    }

    /** From then on connections are refused: the system goes on to take them for as long as a thread is in the call that waits for one. */
    @Override
    public void close() {
        try {
            socket.close();
            thread.join(END.toMillis());
        } catch (IOException e) {
            // nothing more can be done with it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
