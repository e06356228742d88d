package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The replay on real stores, with workers that are really paused. */
class ReplayTest {
    @ParameterizedTest
    @ValueSource(strings = {"redis", "zookeeper", "etcd"})
    void theStaleWriteIsRefusedByItsTokenAndDestroysWithoutIt(String backend) throws Exception {
        Cli.Ended ended = Cli.run("replay", "stale-write", "--on", backend, "--json");

        assertThat(ended.exitCode()).as(ended.out() + ended.err()).isZero();
        List<Map<String, Object>> events =
                ended.lines().stream().map(Json::parse).toList();
        List<Map<String, Object>> verdicts = events.stream()
                .filter(event -> "verdict".equals(event.get("event")))
                .toList();
        assertThat(verdicts).hasSize(2);
        assertThat(verdicts.get(0))
                .containsEntry("fencing", false)
                .containsEntry("staleWriteRefused", false)
                .containsEntry("finalWriter", "worker-A");
        assertThat(verdicts.get(1))
                .containsEntry("backend", backend)
                .containsEntry("fencing", true)
                .containsEntry("staleWriteRefused", true)
                .containsEntry("finalWriter", "worker-B")
                .containsEntry("asExpected", true);
        assertThat((Long) verdicts.get(1).get("staleToken"))
                .isLessThan((Long) verdicts.get(1).get("acceptedToken"));
        assertThat(events.stream().filter(event -> "paused".equals(event.get("action"))))
                .hasSize(2);
    }
}
