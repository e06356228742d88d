package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What only root can do to servers; where it cannot be done the reason is told. */
class DisturbanceTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static Optional<Disturbance> begin(Supplier<Disturbance> disturbance) {
        try {
            return Optional.of(disturbance.get());
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageMatching(".*(root|iptables|control group|block device).*");
            return Optional.empty();
        }
    }

    @Test
    void aLeaderCutOffFromTheOthersIsReplaced_andStillReached() throws IOException {
        try (Cluster cluster =
                        Cluster.start(Topology.ETCD_3, ServerOptions.defaults().throwAway());
                Server stranger =
                        Servers.start(Store.REDIS, ServerOptions.defaults().throwAway())) {
            Server leader = cluster.leader();
            Optional<Disturbance> parted = begin(() -> cluster.isolate(leader));
            if (parted.isPresent()) {
                Wait.until(
                        SOON,
                        () -> "no other node leads",
                        () -> cluster.leaders().stream().anyMatch(node -> node != leader));
                try (Wire wire = Wire.connect(leader.address())) {
                    assertThat(wire.isOpen()).isTrue();
                }
                parted.get().close();
            }
            cluster.awaitWhole(SOON);
            assertThatThrownBy(() -> cluster.isolate(stranger)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aSlowDiskDelaysWrites_andIsHealed() throws IOException {
        try (Server redis = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway())) {
            Optional<Disturbance> slow = begin(() -> redis.slowDisk(5));
            if (slow.isPresent()) {
                assertThat(fiveWrites(redis)).isGreaterThan(Duration.ofMillis(500));
                slow.get().close();
            }
            assertThat(fiveWrites(redis)).isLessThan(Duration.ofMillis(500));
        }
    }

    private static Duration fiveWrites(Server redis) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            Resp.ask(redis.address(), "SET", "key", "value");
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
