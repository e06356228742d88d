package io.fencedlock.servers;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection for a few words of a text protocol; every read ends within a limit, a second if none is given. */
final class Wire implements AutoCloseable {
    private static final int LIMIT_MILLIS = 1000;

    private final Socket socket;
    private final InputStream in;

    private Wire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new java.io.BufferedInputStream(socket.getInputStream());
    }

    static Wire connect(InetSocketAddress address) throws IOException {
        return connect(address, LIMIT_MILLIS);
    }

    static Wire connect(InetSocketAddress address, int limitMillis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(limitMillis);
            socket.connect(new InetSocketAddress(address.getHostString(), address.getPort()), limitMillis);
            return new Wire(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    boolean isOpen() {
        return socket.isConnected() && !socket.isClosed();
    }

    Wire send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return this;
    }

    /** One byte. */
    int read() throws IOException {
        int c = in.read();
        if (c < 0) {
            throw new EOFException("closed by the server");
        }
        return c;
    }

    /** Text up to a zero byte, which is left out. */
    String readText() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = read(); c != 0; c = read()) {
            text.append((char) c);
        }
        return text.toString();
    }

    /** So many bytes. */
    String read(int bytes) throws IOException {
        return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
    }

    /** One line without its end. */
    String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = read(); c != '\n'; c = read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** Everything until the server closes. */
    String readAll() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is owed to a server of which we know enough
        }
    }
}
