package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The proxy in front of a server that answers each line with "re: " and the line. */
class FaultProxyTest {
    private static final int LIMIT_MILLIS = 60_000;

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private ServerSocket echo;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0);
        daemon(() -> {
            while (true) {
                Socket socket = echo.accept();
                daemon(() -> answer(socket));
            }
        });
        proxy = FaultProxy.to(Ports.onLoopback(echo.getLocalPort()));
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void withoutFault_passesBothWays() throws IOException {
        try (Client client = new Client(proxy)) {
            client.send("one");
            client.send("two");
            assertThat(client.receive()).isEqualTo("re: one");
            assertThat(client.receive()).isEqualTo("re: two");
            assertThat(proxy.connections()).isEqualTo(1);
        }
        await().atMost(LIMIT_MILLIS, TimeUnit.MILLISECONDS).until(() -> proxy.connections() == 0);
    }

    @Test
    void cut_resetsOpenConnectionsOnly() throws IOException {
        try (Client client = new Client(proxy)) {
            client.roundTrip("one");
            proxy.cut();
            assertThatThrownBy(client::receive)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
        try (Client client = new Client(proxy)) {
            client.roundTrip("two");
        }
    }

    /** Also at once, while the thread that took connections ends. */
    @Test
    void refuse_refusesTheNextConnection() {
        for (int i = 0; i < 300; i++) {
            proxy.refuse();
            assertThatThrownBy(() -> new Client(proxy)).isInstanceOf(ConnectException.class);
            proxy.heal();
        }
    }

    @Test
    void refuse_refusesUntilHealed() throws IOException {
        try (Client client = new Client(proxy)) {
            client.roundTrip("one");
            proxy.refuse();
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(() -> new Client(proxy)).isInstanceOf(ConnectException.class);
        proxy.heal();
        try (Client client = new Client(proxy)) {
            client.roundTrip("two");
        }
    }

    @Test
    void stall_holdsBackUntilHealed() throws IOException {
        try (Client client = new Client(proxy)) {
            proxy.set(Fault.stall());
            client.send("one");
            client.hearsNothing();
            assertThat(heard).isEmpty();
            proxy.heal();
            assertThat(client.receive()).isEqualTo("re: one");
        }
    }

    @Test
    void stallOfReplies_stillDeliversRequests() throws IOException {
        try (Client client = new Client(proxy)) {
            proxy.set(FaultProxy.Direction.TO_CLIENT, Fault.stall());
            client.send("one");
            await().atMost(LIMIT_MILLIS, TimeUnit.MILLISECONDS).until(() -> heard.contains("one"));
            client.hearsNothing();
        }
    }

    @Test
    void drop_losesForGood() throws IOException {
        try (Client client = new Client(proxy)) {
            proxy.set(FaultProxy.Direction.TO_CLIENT, Fault.drop());
            client.send("one");
            await().atMost(LIMIT_MILLIS, TimeUnit.MILLISECONDS).until(() -> heard.contains("one"));
            client.hearsNothing();
            proxy.heal();
            client.send("two");
            assertThat(client.receive()).isEqualTo("re: two");
        }
    }

    @Test
    void delay_delaysEachByteByTheSameTime() throws IOException {
        try (Client client = new Client(proxy)) {
            proxy.set(Fault.delay(Duration.ofMillis(100)));
            long start = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                client.send("line " + i);
                TimeUnit.MILLISECONDS.sleep(5); // not a wait: it makes many pieces of what would else be one
            }
            for (int i = 0; i < 50; i++) {
                assertThat(client.receive()).isEqualTo("re: line " + i);
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(took).isBetween(Duration.ofMillis(200), Duration.ofSeconds(5)); // one after the other: 10 s
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void halfOpen_clientNoticesNothing() throws IOException {
        try (Client client = new Client(proxy)) {
            client.roundTrip("one");
            proxy.halfOpen(FaultProxy.Side.CLIENT);
            client.send("two");
            client.hearsNothing();
            assertThat(heard).containsExactly("one");
        }
        try (Client client = new Client(proxy)) {
            client.roundTrip("three");
        }
    }

    @Test
    void loseReplyAndCut_deliversTheRequest() throws Exception {
        try (Client client = new Client(proxy)) {
            client.roundTrip("one");
            CompletableFuture<Void> lost = proxy.loseReplyAndCut(request -> request.contains("two"));
            client.roundTrip("three");
            client.send("two");
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
            lost.get(10, TimeUnit.SECONDS);
            assertThat(heard).containsExactly("one", "three", "two");
        }
        try (Client client = new Client(proxy)) {
            client.roundTrip("two");
        }
    }

    @Test
    void loseReply_isSilentUntilCut() throws Exception {
        try (Client client = new Client(proxy)) {
            CompletableFuture<Void> lost = proxy.loseReply(request -> true);
            client.send("one");
            lost.get(10, TimeUnit.SECONDS);
            await().atMost(LIMIT_MILLIS, TimeUnit.MILLISECONDS).until(() -> heard.contains("one"));
            client.hearsNothing();
            proxy.cut();
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void close_leavesNoThread() throws IOException {
        try (Client client = new Client(proxy)) {
            client.roundTrip("one");
            proxy.set(Fault.stall());
            client.send("two");
            proxy.close();
            String name = "fault-proxy-" + proxy.address().getPort();
            await().atMost(LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(t -> t.getName().startsWith(name)));
        }
    }

    @Test
    void connectionToNothing_isReset() throws IOException {
        int port = Ports.free();
        try (FaultProxy toNothing = FaultProxy.to(Ports.onLoopback(port));
                Client client = new Client(toNothing)) {
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
    }

    private void answer(Socket socket) throws IOException {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                heard.add(line);
                socket.getOutputStream().write(("re: " + line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // the test is over, or has cut it
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Client(FaultProxy proxy) throws IOException {
            socket = new Socket("127.0.0.1", proxy.address().getPort());
            socket.setSoTimeout(LIMIT_MILLIS);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        void roundTrip(String line) throws IOException {
            send(line);
            assertThat(receive()).isEqualTo("re: " + line);
        }

        void send(String line) throws IOException {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }

        void hearsNothing() throws IOException {
            socket.setSoTimeout(700);
            assertThatThrownBy(this::receive).isInstanceOf(SocketTimeoutException.class);
            socket.setSoTimeout(LIMIT_MILLIS);
        }

        String receive() throws IOException {
            String line = in.readLine();
            if (line == null) {
                throw new IOException("closed in order");
            }
            return line;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
