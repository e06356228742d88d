package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a Docker daemon answers: a quick look, so that nobody without Docker waits for Testcontainers to give up. */
final class DockerDaemon {
    private static final int LIMIT_MILLIS = 900;
    private static final byte[] PING = "GET /_ping HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private DockerDaemon() {}

    /** Finds the first daemon that answers, where Testcontainers would look as well. */
    static String find() throws NotHere {
        List<String> places = places();
        for (String place : places) {
            if (answers(place)) {
                return place;
            }
        }
        throw new NotHere("no Docker daemon answers at " + String.join(", ", places));
    }

    private static List<String> places() {
        String chosen = System.getenv("DOCKER_HOST");
        if (chosen != null && !chosen.isBlank()) {
            return List.of(chosen.strip());
        }
        List<String> places = new ArrayList<>(List.of("unix:///var/run/docker.sock"));
        Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR"))
                .map(Path::of)
                .ifPresent(dir -> addIfThere(places, dir.resolve("docker.sock")));
        Path home = Path.of(System.getProperty("user.home", "/nonexistent"));
        addIfThere(places, home.resolve(".docker/run/docker.sock"));
        addIfThere(places, home.resolve(".docker/desktop/docker.sock"));
        return places;
    }

    private static void addIfThere(List<String> places, Path socket) {
        if (Files.exists(socket)) {
            places.add("unix://" + socket);
        }
    }

    private static boolean answers(String place) {
        try {
            URI uri = URI.create(place);
            SocketAddress address = "unix".equals(uri.getScheme())
                    ? UnixDomainSocketAddress.of(uri.getPath())
                    : new InetSocketAddress(String.valueOf(uri.getHost()), uri.getPort());
            return answers(address, "unix".equals(uri.getScheme()) || System.getenv("DOCKER_TLS_VERIFY") == null);
        } catch (IllegalArgumentException | IOException e) {
            return false;
        }
    }

    /** A daemon that wants TLS is believed when it accepts the connection. */
    private static boolean answers(SocketAddress address, boolean plain) throws IOException {
        StandardProtocolFamily family =
                address instanceof UnixDomainSocketAddress ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET;
        try (SocketChannel channel = SocketChannel.open(family);
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            if (!channel.connect(address) && !ready(channel, selector, SelectionKey.OP_CONNECT, null)) {
                return false;
            }
            if (!channel.finishConnect() || !plain) {
                return channel.isConnected();
            }
            channel.write(ByteBuffer.wrap(PING));
            ByteBuffer reply = ByteBuffer.allocate(15);
            return ready(channel, selector, SelectionKey.OP_READ, reply)
                    && new String(reply.array(), StandardCharsets.US_ASCII).contains(" 200");
        }
    }

    private static boolean ready(SocketChannel channel, Selector selector, int operation, @Nullable ByteBuffer into)
            throws IOException {
        channel.register(selector, operation);
        if (selector.select(LIMIT_MILLIS) == 0) {
            return false;
        }
        return into == null || channel.read(into) > 0;
    }
}
