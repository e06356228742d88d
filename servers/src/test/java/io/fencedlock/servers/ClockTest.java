package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.data.TemporalUnitOffset;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.Test;

class ClockTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final TemporalUnitOffset A_MOMENT =
            new TemporalUnitWithinOffset(10, java.time.temporal.ChronoUnit.SECONDS);
    private static final ServerOptions STEPPABLE = ServerOptions.defaults().steppableClock();

    @Test
    void step_endsAndProlongsTheLivesOfKeys() throws IOException {
        try (Server redis = Servers.start(Store.REDIS, STEPPABLE)) {
            assertThat(time(redis)).isCloseTo(Instant.now(), A_MOMENT);
            set(redis);
            redis.stepClock(HOUR);
            assertThat(time(redis)).isCloseTo(Instant.now().plus(HOUR), A_MOMENT);
            assertThat(ask(redis, "GET", "key")).isEmpty();

            redis.stepClock(HOUR.negated());
            set(redis);
            redis.stepClock(HOUR.negated());
            assertThat(time(redis)).isCloseTo(Instant.now().minus(HOUR), A_MOMENT);
            assertThat(Duration.ofMillis(Long.parseLong(ask(redis, "PTTL", "key"))))
                    .isGreaterThan(HOUR);
        }
    }

    @Test
    void step_outlastsARestart() throws IOException {
        try (Server redis = Servers.start(Store.REDIS, STEPPABLE)) {
            redis.stepClock(HOUR);
            redis.restart(Data.WIPE);
            assertThat(time(redis)).isCloseTo(Instant.now().plus(HOUR), A_MOMENT);
        }
    }

    @Test
    void nodesOfAClusterHaveEachItsOwn() throws IOException {
        try (Cluster redlock = Cluster.start(Topology.REDLOCK, STEPPABLE)) {
            redlock.nodes().get(1).stepClock(HOUR);
            assertThat(time(redlock.nodes().get(0))).isCloseTo(Instant.now(), A_MOMENT);
            assertThat(time(redlock.nodes().get(1))).isCloseTo(Instant.now().plus(HOUR), A_MOMENT);
        }
    }

    @Test
    void aServerWithoutOneSaysSo() {
        try (Server redis = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway())) {
            assertThatThrownBy(() -> redis.stepClock(HOUR))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("without a steppable clock");
        }
        assertThatThrownBy(() -> Servers.start(Store.ETCD, STEPPABLE))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("the clock of etcd cannot be stepped");
    }

    @Test
    void aWorkersClockIsStepped_andItsMonotonicOneIsNot() throws InterruptedException {
        try (WorkerProcess worker =
                WorkerProcess.of(Clocks.class).steppableClock().start()) {
            long[] before = clocks(worker);
            worker.stepClock(HOUR);
            long[] after = clocks(worker);
            assertThat(Duration.ofMillis(after[0] - before[0])).isGreaterThanOrEqualTo(HOUR);
            assertThat(Duration.ofNanos(after[1] - before[1])).isBetween(Duration.ZERO, HOUR);
        }
    }

    private static long[] clocks(WorkerProcess worker) throws InterruptedException {
        worker.send("");
        String[] said = worker.receive(Duration.ofSeconds(20)).orElseThrow().split(" ", -1);
        return new long[] {Long.parseLong(said[0]), Long.parseLong(said[1])};
    }

    /** Says what both clocks say, as often as it is asked. */
    static final class Clocks {
        private Clocks() {}

        public static void main(String[] arguments) throws IOException {
            while (System.in.read() >= 0) {
                System.out.println(System.currentTimeMillis() + " " + System.nanoTime());
            }
        }
    }

    private static void set(Server redis) throws IOException {
        ask(redis, "SET", "key", "value", "PX", "10000");
    }

    private static Instant time(Server redis) throws IOException {
        return Instant.ofEpochSecond(
                Long.parseLong(ask(redis, "TIME").lines().findFirst().orElseThrow()));
    }

    private static String ask(Server redis, String... words) throws IOException {
        InetSocketAddress address = redis.address();
        return Resp.ask(address, words);
    }
}
