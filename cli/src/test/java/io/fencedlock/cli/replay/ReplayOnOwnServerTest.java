package io.fencedlock.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.cli.Cli;
import io.fencedlock.cli.Json;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replay on a server of the user's: it harms nothing unless it is told to, and leaves nothing behind. */
class ReplayOnOwnServerTest {
    private static Server server;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "stale-write-lost-counter, --allow-server-faults would allow",
        "stale-write-lost-writes, this server is not ours",
        "single-node-failover, which --on starts"
    })
    void harmIsRefused(String scenario, String sentence) {
        Cli.Ended said = Cli.say("replay " + scenario + " --url " + server.url());

        assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(scenario + " cannot be played on redis").contains(sentence);
        assertThat(said.out()).isEmpty();
    }

    @Tag("full")
    @Test
    void allThatIsAllowedLeavesNothingBehind() throws Exception {
        Cli.Ended ended = Cli.run("replay", "all", "--url", server.url(), "--allow-server-faults", "--json");

        assertThat(ended.exitCode()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.lines().stream()
                        .map(Json::parse)
                        .filter(event -> "outcome".equals(event.get("event")))
                        .filter(event -> !"as expected".equals(event.get("outcome")))
                        .map(event -> event.get("scenario")))
                .containsExactlyInAnyOrder("redlock", "single-node-failover", "stale-write-lost-writes");
        assertThat(keys()).allMatch(key -> key.endsWith(":counter") || key.contains(":abandoned:"));
    }

    private static List<String> keys() {
        RedisClient client = RedisClient.create(server.url());
        try {
            return client.connect().sync().keys("*");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
