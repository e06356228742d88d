package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource
    void start_isWhole(Topology topology) {
        long start = System.nanoTime();
        try (Cluster cluster = Cluster.start(topology)) {
            System.err.println(topology + " was whole after " + (System.nanoTime() - start) / 1_000_000 + " ms");
            assertThat(cluster.isWhole()).isTrue();
            assertThat(cluster.url()).startsWith(topology.scheme() + "://127.0.0.1:");
            assertThat(cluster.nodes()).contains(cluster.leader());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDLOCK")
    void leaderKilled_anotherLeadsAndTheClusterHeals(Topology topology) {
        try (Cluster cluster = Cluster.start(topology)) {
            Server first = cluster.leader();
            int leaders = cluster.leaders().size();
            first.kill();
            assertThat(cluster.isWhole()).isFalse();
            await().atMost(LIMIT)
                    .until(() -> cluster.leaders().size() == leaders
                            && !cluster.leaders().contains(first));

            first.restart(Data.KEEP);
            cluster.awaitWhole(LIMIT);
            assertThat(cluster.leaders()).hasSize(leaders);
        }
    }

    @ParameterizedTest
    @EnumSource
    void behindProxies_clientsAreToldTheProxies(Topology topology) {
        try (Cluster cluster = Cluster.startBehindProxies(topology, ServerOptions.defaults())) {
            assertThat(cluster.proxies()).hasSameSizeAs(cluster.nodes());
            if (topology != Topology.REDIS_SENTINEL) {
                assertThat(cluster.proxies())
                        .allMatch(proxy ->
                                cluster.url().contains(":" + proxy.address().getPort()));
            }
            assertThat(cluster.leaders()).isNotEmpty();
        }
    }
}
