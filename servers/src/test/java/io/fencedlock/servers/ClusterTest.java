package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class ClusterTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDLOCK")
    void leaderKilled_anotherLeadsAndTheClusterHeals(Topology topology) {
        try (Cluster cluster = Cluster.start(topology)) {
            Server first = cluster.leader();
            assertThat(cluster.nodes()).contains(first);
            int leaders = topology == Topology.REDIS_CLUSTER ? 3 : 1;
            first.kill();
            assertThat(cluster.isWhole()).isFalse();
            await().atMost(LIMIT)
                    .until(() -> cluster.leaders().size() == leaders
                            && !cluster.leaders().contains(first));

            first.restart(Data.KEEP);
            cluster.awaitWhole(LIMIT);
            await().atMost(LIMIT).until(() -> cluster.leaders().size() == leaders);
        }
    }

    @ParameterizedTest
    @EnumSource
    void behindProxies_clientsAreToldTheProxies(Topology topology) {
        try (Cluster cluster = Cluster.startBehindProxies(topology, ServerOptions.defaults())) {
            assertThat(cluster.url()).startsWith(topology.scheme() + "://127.0.0.1:");
            assertThat(cluster.proxies()).hasSameSizeAs(cluster.nodes());
            if (topology != Topology.REDIS_SENTINEL) {
                assertThat(cluster.proxies())
                        .allMatch(proxy ->
                                cluster.url().contains(":" + proxy.address().getPort()));
            }
            assertThat(cluster.nodes()).contains(cluster.leader());
        }
    }
}
