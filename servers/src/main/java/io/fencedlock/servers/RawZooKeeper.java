package io.fencedlock.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
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
    /** Requests on their way at once: many stripes are asked in one round trip. */
    private static final int TOGETHER = 256;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    RawZooKeeper(InetSocketAddress server) throws IOException {
        socket = new Socket(server.getHostString(), server.getPort());
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        try {
            open();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void open() throws IOException {
        send(to -> {
            to.writeInt(0); // protocol version
            to.writeLong(0); // last zxid seen
            to.writeInt(10_000); // session timeout
            to.writeLong(0); // no session yet
            buffer(to, new byte[16]);
        });
        out.flush();
        in.skipNBytes(in.readInt());
    }

    void create(String path, String value) throws IOException {
        int error = request(CREATE, to -> {
            buffer(to, path.getBytes(StandardCharsets.UTF_8));
            buffer(to, value.getBytes(StandardCharsets.UTF_8));
            to.writeInt(1); // one entry of the access list: everybody may do everything
            to.writeInt(31);
            buffer(to, "world".getBytes(StandardCharsets.UTF_8));
            buffer(to, "anyone".getBytes(StandardCharsets.UTF_8));
            to.writeInt(0); // persistent
        });
        if (error != 0) {
            throw new IOException("create answered " + error);
        }
        rest(in.readInt());
    }

    Optional<String> read(String path) throws IOException {
        int error = request(GET_DATA, to -> {
            buffer(to, path.getBytes(StandardCharsets.UTF_8));
            to.writeBoolean(false);
        });
        if (error == NO_NODE) {
            return Optional.empty();
        }
        if (error != 0) {
            throw new IOException("getData answered " + error);
        }
        return Optional.of(rest(in.readInt()));
    }

    /** The names of the children of each znode; none if it is not there. */
    List<List<String>> children(List<String> paths) throws IOException {
        List<List<String>> all = new ArrayList<>();
        for (int first = 0; first < paths.size(); first += TOGETHER) {
            List<String> some = paths.subList(first, Math.min(paths.size(), first + TOGETHER));
            for (String path : some) {
                ask(GET_CHILDREN, to -> {
                    buffer(to, path.getBytes(StandardCharsets.UTF_8));
                    to.writeBoolean(false);
                });
            }
            for (int i = 0; i < some.size(); i++) {
                all.add(namesAnswered());
            }
        }
        return all;
    }

    private List<String> namesAnswered() throws IOException {
        int error = answer();
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

    /** Deletes znodes, each after those below it; one that is gone already is deleted, too. */
    void delete(List<String> paths) throws IOException {
        for (int first = 0; first < paths.size(); first += TOGETHER) {
            List<String> some = paths.subList(first, Math.min(paths.size(), first + TOGETHER));
            for (String path : some) {
                ask(DELETE, to -> {
                    buffer(to, path.getBytes(StandardCharsets.UTF_8));
                    to.writeInt(ANY_VERSION);
                });
            }
            for (int i = 0; i < some.size(); i++) {
                int error = answer();
                if (error != 0 && error != NO_NODE) {
                    throw new IOException("delete answered " + error);
                }
            }
        }
    }

    private String rest(int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private int request(int type, Body body) throws IOException {
        ask(type, body);
        return answer();
    }

    private void ask(int type, Body body) throws IOException {
        send(to -> {
            to.writeInt(1); // request id
            to.writeInt(type);
            body.write(to);
        });
    }

    /** The error of the next answer; its rest follows. */
    private int answer() throws IOException {
        out.flush();
        in.skipNBytes(Integer.BYTES + Integer.BYTES + Long.BYTES); // length, request id, zxid
        return in.readInt();
    }

    private void send(Body body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        body.write(new DataOutputStream(bytes));
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    private static void buffer(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void close() throws IOException {
        try (socket) {
            send(to -> {
                to.writeInt(2);
                to.writeInt(CLOSE);
            });
            out.flush();
        }
    }
}
