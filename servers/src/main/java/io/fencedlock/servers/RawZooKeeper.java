package io.fencedlock.servers;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A ZooKeeper session that knows a few requests, spoken on the wire. Not thread-safe. */
final class RawZooKeeper implements AutoCloseable {
    private static final int CREATE = 1;
    private static final int DELETE = 2;
    private static final int GET_DATA = 4;
    private static final int GET_CHILDREN = 8;
    private static final int CLOSE = -11;
    private static final int NO_NODE = -101;
    private static final int ANY_VERSION = -1;
    private static final int LIMIT_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;

    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    RawZooKeeper(InetSocketAddress server) throws IOException {
        socket = new Socket(server.getHostString(), server.getPort());
        socket.setSoTimeout(LIMIT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        try {
            open();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void open() throws IOException {
        send(out -> {
            out.writeInt(0); // protocol version
            out.writeLong(0); // last zxid seen
            out.writeInt(10_000); // session timeout
            out.writeLong(0); // no session yet
            buffer(out, new byte[16]);
        });
        in.skipNBytes(in.readInt());
    }

    void create(String path, String value) throws IOException {
        int error = request(CREATE, out -> {
            buffer(out, path.getBytes(StandardCharsets.UTF_8));
            buffer(out, value.getBytes(StandardCharsets.UTF_8));
            out.writeInt(1); // one entry of the access list: everybody may do everything
            out.writeInt(31);
            buffer(out, "world".getBytes(StandardCharsets.UTF_8));
            buffer(out, "anyone".getBytes(StandardCharsets.UTF_8));
            out.writeInt(0); // persistent
        });
        if (error != 0) {
            throw new IOException("create answered " + error);
        }
        rest(in.readInt());
    }

    Optional<String> read(String path) throws IOException {
        int error = request(GET_DATA, out -> {
            buffer(out, path.getBytes(StandardCharsets.UTF_8));
            out.writeBoolean(false);
        });
        if (error == NO_NODE) {
            return Optional.empty();
        }
        if (error != 0) {
            throw new IOException("getData answered " + error);
        }
        return Optional.of(rest(in.readInt()));
    }

    /** The names of the children; none if the znode is not there. */
    List<String> children(String path) throws IOException {
        int error = request(GET_CHILDREN, out -> {
            buffer(out, path.getBytes(StandardCharsets.UTF_8));
            out.writeBoolean(false);
        });
        List<String> names = new ArrayList<>();
        if (error == NO_NODE) {
            return names;
        }
        if (error != 0) {
            throw new IOException("getChildren answered " + error);
        }
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            names.add(rest(in.readInt()));
        }
        return names;
    }

    /** Deletes a znode that has no children; one that is gone already is deleted, too. */
    void delete(String path) throws IOException {
        int error = request(DELETE, out -> {
            buffer(out, path.getBytes(StandardCharsets.UTF_8));
            out.writeInt(ANY_VERSION);
        });
        if (error != 0 && error != NO_NODE) {
            throw new IOException("delete answered " + error);
        }
    }

    private String rest(int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private int request(int type, Body body) throws IOException {
        send(out -> {
            out.writeInt(1); // request id
            out.writeInt(type);
            body.write(out);
        });
        in.skipNBytes(Integer.BYTES + Integer.BYTES + Long.BYTES); // length, request id, zxid
        return in.readInt();
    }

    private void send(Body body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        body.write(new DataOutputStream(bytes));
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(bytes.size());
        bytes.writeTo(out);
        out.flush();
    }

    private static void buffer(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void close() throws IOException {
        try (socket) {
            send(out -> {
                out.writeInt(2);
                out.writeInt(CLOSE);
            });
        }
    }
}
