package io.fencedlock.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.compliance.history.Event;
import io.fencedlock.servers.Resp;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.torture.Finding.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real servers, real processes: nothing is found where nothing may be found, and what is spoiled on purpose is found. */
class TortureTest {

    /** The first pauses of these seeds are at least one and a half times as long as the lease. */
    private static final List<Long> PAUSES_LONGER_THAN_A_LEASE = List.of(121L, 281L, 235L, 230L);

    private static Plan shortPlan(String backend, int seconds, long seed) {
        return Plan.of(backend, Duration.ofSeconds(seconds), seed)
                .lease(Duration.ofSeconds(1))
                .workers(3);
    }

    /** The quick run of every build is TortureCommandTest's. */
    @Test
    @Tag("full")
    void withTheFence_nothingIsFound() throws InterruptedException {
        Heard heard = new Heard();
        Summary summary =
                Torture.run(shortPlan("redis", 6, 1).faults("pause-worker", "kill-server", "kill-connections"), heard);
        assertThat(summary.findings()).isEmpty();
        assertThat(summary.clean()).isTrue();
        assertThat(summary.grants()).isPositive();
        assertThat(summary.faults()).isNotEmpty();
        assertThat(summary.recoveries().keySet()).isEqualTo(summary.faults().keySet());
        assertThat(heard.phases).isPositive();
    }

    @Test
    void withoutTheFence_staleWritesAndLostUpdatesAreFound() throws InterruptedException {
        Summary summary = withoutFence(PAUSES_LONGER_THAN_A_LEASE.get(0));
        // A pause may miss the moment between reading and writing: the late worker then only reads, or the next one has
        // not written; and where it had written the same, no update is lost.
        for (int i = 1; !bothAreIn(summary) && i < PAUSES_LONGER_THAN_A_LEASE.size(); i++) {
            summary = withoutFence(PAUSES_LONGER_THAN_A_LEASE.get(i));
        }
        assertThat(summary.clean()).isFalse();
        assertThat(summary.count(Kind.STALE_WRITE))
                .as(summary.findings().toString())
                .isPositive();
        assertThat(summary.count(Kind.LOST_UPDATE)).isPositive();
        assertThat(summary.findings())
                .filteredOn(finding -> finding.kind() == Kind.LOST_UPDATE)
                .allSatisfy(finding ->
                        assertThat(finding.proof()).extracting(Event::subject).hasSize(2));
    }

    private static boolean bothAreIn(Summary summary) {
        return summary.count(Kind.STALE_WRITE) > 0 && summary.count(Kind.LOST_UPDATE) > 0;
    }

    private static Summary withoutFence(long seed) throws InterruptedException {
        return Torture.run(shortPlan("redis", 4, seed).faults("pause-worker").withoutFence(), new Heard());
    }

    /** The textbook's counter begins again with its data lost; where the cluster loses only the last writes, it repeats a number. */
    @Test
    void weakTokens_areFoundAfterLostData() throws InterruptedException {
        Summary summary =
                Torture.run(shortPlan("redis", 1, 1).faults("wipe-server").tokens("counter"), new Heard());
        assertThat(summary.count(Kind.TOKEN)).isPositive();
        assertThat(summary.clean()).isFalse();
    }

    @Test
    @Tag("full")
    void weakTokens_areFoundAfterAFailoverThatLostWrites() throws InterruptedException {
        Plan plan = Plan.of("redis-sentinel", Duration.ofSeconds(40), 1).faults("lost-write-failover");
        assertThat(Torture.run(plan.tokens("counter"), new Heard()).count(Kind.TOKEN))
                .isPositive();
    }

    @Test
    @Tag("full")
    void onAStoreOfTheUsers_onlyWorkersAreHarmed_andNothingIsLeft() throws Exception {
        try (Server server = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway())) {
            Plan plan = new Plan(
                    "mine",
                    Optional.of(server.url()),
                    List.of(),
                    Duration.ofSeconds(12),
                    3,
                    2,
                    1,
                    true,
                    "default",
                    Duration.ofSeconds(1),
                    false,
                    Optional.empty());
            Optional<Long> pid = server.pid();
            Summary summary = Torture.run(plan, new Heard());
            assertThat(summary.findings()).isEmpty();
            assertThat(summary.faults()).containsOnlyKeys("pause-worker", "kill-worker");
            assertThat(server.pid()).isEqualTo(pid);
            assertThat(Resp.ask(server.address(), "KEYS", "*").lines()).allMatch(key -> key.endsWith(":counter"));
            assertThatThrownBy(() -> Torture.run(plan.faults("kill-server"), new Heard()))
                    .hasMessageContaining("cannot be caused");
            assertThatThrownBy(() -> Torture.run(plan.faults("force-release"), new Heard()))
                    .hasMessageContaining("cannot be caused");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis",
                "redis-sentinel",
                "redis-cluster",
                "redlock",
                "etcd",
                "etcd-3",
                "zookeeper",
                "zookeeper-3"
            })
    @Tag("full")
    void allFaults(String backend) throws InterruptedException {
        Summary summary = Torture.run(Plan.of(backend, Duration.ofMinutes(2), 11), new Heard());
        assertThat(summary.findings()).isEmpty();
    }

    @Test
    void whatIsNotKnownIsRefusedBeforeAnythingStarts() {
        assertThatThrownBy(() -> Torture.run(shortPlan("redis", 1, 1).faults("earthquake"), new Heard()))
                .hasMessageContaining("no fault is called \"earthquake\"");
        assertThatThrownBy(() -> Torture.run(shortPlan("mongodb", 1, 1), new Heard()))
                .hasMessageContaining("there is no backend \"mongodb\"");
    }

    private static final class Heard implements Progress {
        private int phases;

        @Override
        public void begun(Plan plan, String place) {}

        @Override
        public void checked(String phase, Counts now) {
            phases++;
        }

        @Override
        public void found(Finding finding) {}
    }
}
