package io.fencedlock.servers;

import java.io.IOException;
import java.io.InterruptedIOException;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Docker daemon, asked directly: whether it answers, and whether it has an image. Testcontainers would find out, too, but takes
 * minutes to give up where images cannot be pulled.
 *
 * @param place its address, for example {@code unix:///var/run/docker.sock}
 */
record DockerDaemon(String place) {
    private static final Duration ANSWER = Duration.ofMillis(900);
    private static final Duration SILENT_PULL = Duration.ofSeconds(30);

    /** Finds the first daemon that answers, where Testcontainers would look as well. */
    static DockerDaemon find() throws NotHere {
        List<String> places = places();
        for (String place : places) {
            DockerDaemon daemon = new DockerDaemon(place);
            if (daemon.answers()) {
                return daemon;
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

    private boolean answers() {
        return speaksTls() || succeeds("GET /_ping", ANSWER);
    }

    /** Such a daemon is left to Testcontainers, which has the keys. */
    private boolean speaksTls() {
        return !place.startsWith("unix:") && System.getenv("DOCKER_TLS_VERIFY") != null;
    }

    /** Makes sure that the daemon has an image that anybody may pull. */
    void obtain(String image) throws NotHere {
        if (speaksTls() || has(image)) {
            return;
        }
        Servers.say("pulling the image " + image + " (once)");
        String name = image.substring(0, image.lastIndexOf(':'));
        String tag = image.substring(image.lastIndexOf(':') + 1);
        succeeds("POST /images/create?fromImage=" + name + "&tag=" + tag, SILENT_PULL);
        if (!has(image)) {
            throw new NotHere("Docker at " + place + " cannot pull the image " + image);
        }
    }

    private boolean has(String image) {
        return succeeds("GET /images/" + image + "/json", SILENT_PULL);
    }

    private boolean succeeds(String request, Duration silence) {
        try {
            URI uri = URI.create(place);
            SocketAddress address = "unix".equals(uri.getScheme())
                    ? UnixDomainSocketAddress.of(uri.getPath())
                    : new InetSocketAddress(String.valueOf(uri.getHost()), uri.getPort());
            return status(address, request + " HTTP/1.0\r\nHost: docker\r\nContent-Length: 0\r\n\r\n", silence)
                    .contains(" 200");
        } catch (IllegalArgumentException | IOException e) {
            return false;
        }
    }

    /** Sends the request, reads the whole reply, and answers its first bytes; fails when nothing comes for too long. */
    private static String status(SocketAddress address, String request, Duration silence) throws IOException {
        StandardProtocolFamily family =
                address instanceof UnixDomainSocketAddress ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET;
        try (SocketChannel channel = SocketChannel.open(family);
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            if (!channel.connect(address)) {
                await(channel, selector, SelectionKey.OP_CONNECT, ANSWER);
                channel.finishConnect();
            }
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer head = ByteBuffer.allocate(15);
            ByteBuffer rest = ByteBuffer.allocate(16 * 1024);
            int read;
            do {
                await(channel, selector, SelectionKey.OP_READ, silence);
                read = channel.read(head.hasRemaining() ? head : rest.clear());
            } while (read >= 0);
            return new String(head.array(), StandardCharsets.US_ASCII);
        }
    }

    private static void await(SocketChannel channel, Selector selector, int operation, Duration limit)
            throws IOException {
        channel.register(selector, operation);
        if (selector.select(limit.toMillis()) == 0) {
            throw new InterruptedIOException("no answer");
        }
        selector.selectedKeys().clear();
    }
}
