package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each store, started as on a machine without anything installed, through all that can be done to it. */
@Execution(ExecutionMode.CONCURRENT)
class ServerLifeTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource
    void start_answersOnItsOwnPort(Store store) {
        try (Server server = Servers.start(store, ServerOptions.defaults().throwAway())) {
            server.awaitReady(LIMIT);
            assertThat(server.version()).matches("[0-9]+\\.[0-9]+.*");
            assertThat(server.url())
                    .isEqualTo(
                            store.scheme() + "://127.0.0.1:" + server.address().getPort());
            assertThat(server.canBeHarmed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void pause_answersNothingUntilResume(Store store) {
        try (Server server = Servers.start(store, ServerOptions.defaults().throwAway())) {
            server.pause();
            assertThat(server.answers()).isFalse();
            server.resume();
            server.awaitReady(LIMIT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void kill_refusesConnections(Store store) {
        try (Server server = Servers.start(store, ServerOptions.defaults().throwAway())) {
            server.kill();
            assertThatThrownBy(() -> connect(server)).isInstanceOf(ConnectException.class);
            server.kill();
            server.restart(Data.KEEP);
            server.awaitReady(LIMIT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void restart_keepsOrWipesData(Store store) throws Exception {
        try (Server server = Servers.start(store, ServerOptions.defaults().throwAway())) {
            OneValue.write(server, "kept");
            server.restart(Data.KEEP);
            assertThat(OneValue.read(server)).contains("kept");
            server.stop();
            server.restart(Data.KEEP);
            assertThat(OneValue.read(server)).contains("kept");
            server.pause();
            server.restart(Data.WIPE);
            assertThat(OneValue.read(server)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void close_leavesNothing(Store store) {
        Server server = Servers.start(store, ServerOptions.defaults().throwAway());
        server.close();
        server.close();
        assertThatThrownBy(() -> connect(server)).isInstanceOf(ConnectException.class);
        assertThat(server.pid()).isEmpty();
        assertThatThrownBy(() -> server.restart(Data.KEEP)).isInstanceOf(IllegalStateException.class);
    }

    private static void connect(Server server) throws IOException {
        new Socket(server.address().getHostString(), server.address().getPort()).close();
    }
}
