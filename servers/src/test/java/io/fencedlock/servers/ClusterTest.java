package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
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

    /** Whoever asks on a detour is told nothing but proxies, and its faults are its own. */
    @ParameterizedTest
    @EnumSource(names = {"REDIS_SENTINEL", "REDIS_CLUSTER"})
    void detour_isNeverLeft(Topology topology) throws IOException {
        String[] question = topology == Topology.REDIS_SENTINEL
                ? new String[] {"SENTINEL", "GET-MASTER-ADDR-BY-NAME", SentinelShape.MASTER}
                : new String[] {"CLUSTER", "NODES"};
        try (Cluster cluster = Cluster.start(topology);
                Detour detour = cluster.detour()) {
            InetSocketAddress entrance = entrance(detour.url());
            InetSocketAddress open = entrance(cluster.url());
            List<String> ports = cluster.nodes().stream()
                    .map(node -> Integer.toString(node.address().getPort()))
                    .toList();
            assertThat(Resp.ask(open, question)).containsAnyOf(ports.toArray(String[]::new));
            assertThat(Resp.ask(entrance, question)).contains("127.0.0.1").doesNotContain(ports);

            detour.set(Fault.stall());
            assertThat(Resp.askOrNothing(entrance, question)).isEmpty();
            assertThat(Resp.askOrNothing(open, question)).isNotEmpty();
            detour.heal();
            assertThat(Resp.ask(entrance, question)).contains("127.0.0.1");
        }
    }

    private static InetSocketAddress entrance(String url) {
        String first = url.substring(url.indexOf("//") + 2).split("[,/]", 2)[0];
        return Ports.onLoopback(Integer.parseInt(first.substring(first.indexOf(':') + 1)));
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
