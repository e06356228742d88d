package io.fencedlock.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.cli.Cli;
import io.fencedlock.cli.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The replays, on real stores with workers that are really paused. What each of them has to show is told once, here. */
class ReplayTest {
    private static final Set<String> NOT_FOR_MEMORY = Set.of(
            "single-node-failover",
            "redlock",
            "stale-write-cut-off",
            "stale-write-lost-reply",
            "stale-write-lost-counter",
            "stale-write-lost-writes");
    private static final Set<String> ALL =
            Scenarios.all().stream().map(Scenario::name).collect(Collectors.toSet());

    /** A short choice; all of them on all stores are in the full profile. */
    @ParameterizedTest
    @CsvSource({
        "redis, stale-write lease-expiry, both",
        "redis, redlock, on",
        "zookeeper, stale-write-lost-reply, on",
        "etcd, stale-write-lost-counter, on"
    })
    void aStoreShowsWhatTheArticleSays(String backend, String scenarios, String fencing) throws Exception {
        List<String> words = new ArrayList<>(List.of("replay"));
        words.addAll(List.of(scenarios.split(" ")));
        words.addAll(List.of("--on", backend, "--fencing", fencing, "--json"));
        Cli.Ended ended = Cli.run(words.toArray(String[]::new));

        assertThat(ended.exitCode()).as(ended.out() + ended.err()).isZero();
        List<Map<String, @Nullable Object>> events = events(ended.out());
        assertThat(verdicts(events)).allSatisfy(verdict -> {
            assertThat(verdict).containsEntry("backend", backend).containsEntry("asExpected", true);
            showsWhatItHasTo(verdict);
        });
        assertThat(names(verdicts(events))).isEqualTo(Set.of(scenarios.split(" ")));
        assertThat(events).anyMatch(event -> "paused".equals(event.get("action")));
    }

    @Test
    void everythingOnMemory() {
        Cli.Ended said = Cli.say("replay all --on memory --json");

        assertThat(said.exitCode()).as(said.out() + said.err()).isZero();
        List<Map<String, @Nullable Object>> verdicts = verdicts(events(said.out()));
        assertThat(verdicts).allSatisfy(ReplayTest::showsWhatItHasTo);
        assertThat(names(verdicts))
                .isEqualTo(ALL.stream()
                        .filter(name -> !NOT_FOR_MEMORY.contains(name))
                        .collect(Collectors.toSet()));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"redis", "zookeeper", "etcd"})
    void everythingOnAStore(String backend) throws Exception {
        Cli.Ended ended = Cli.run("replay", "all", "--on", backend, "--json");

        assertThat(ended.exitCode()).as(ended.out() + ended.err()).isZero();
        List<Map<String, @Nullable Object>> events = events(ended.out());
        assertThat(verdicts(events)).allSatisfy(ReplayTest::showsWhatItHasTo);
        Set<String> elsewhere = backend.equals("redis") ? Set.of() : Set.of("redlock");
        assertThat(names(verdicts(events)))
                .isEqualTo(
                        ALL.stream().filter(name -> !elsewhere.contains(name)).collect(Collectors.toSet()));
        assertThat(events)
                .filteredOn(event -> "outcome".equals(event.get("event")))
                .hasSize(Scenarios.all().size())
                .filteredOn(event -> !"as expected".equals(event.get("outcome")))
                .extracting(event -> event.get("scenario"))
                .containsExactlyInAnyOrderElementsOf(elsewhere);
    }

    /** Who wrote last, who was refused, what was deleted. */
    private static void showsWhatItHasTo(Map<String, @Nullable Object> verdict) {
        switch (String.valueOf(verdict.get("scenario"))) {
            case "lease-expiry" ->
                has(verdict, "deletedByA", "worker-B", "deletedByB", "worker-C", "finalWriter", "worker-C");
            case "owner-checked-release" ->
                has(verdict, "wroteBesideTheHolder", true, "otherLockDeleted", false, "finalWriter", "worker-B");
            case "fenced" -> has(verdict, "staleWriteRefused", true, "finalWriter", "worker-C");
            case "fenced-overlap" ->
                has(
                        verdict,
                        "acceptedBeforeTheNewHolderWrote",
                        true,
                        "refusedAfterTheNewHolderWrote",
                        true,
                        "refusedAfterAdvance",
                        true,
                        "finalWriter",
                        "worker-B");
            case "conditional-update", "unique-constraint", "partitioned" ->
                has(verdict, "staleWriteRefused", true, "finalWriter", "worker-B");
            case "idempotency-key" -> has(verdict, "mails", 1L, "finalWriter", "worker-B");
            case "single-node-failover" -> {
                boolean two = Long.valueOf(2).equals(verdict.get("holdersAtOnce"));
                assertThat(two).isEqualTo("redis".equals(verdict.get("backend")));
                if (two) {
                    staleWrite(verdict);
                }
            }
            case "redlock" -> {
                has(verdict, "heldAfterOneNodeForgot", true, "holdersAtOnce", 2L);
                staleWrite(verdict);
            }
            default -> staleWrite(verdict);
        }
    }

    private static void staleWrite(Map<String, @Nullable Object> verdict) {
        boolean fencing = Boolean.TRUE.equals(verdict.get("fencing"));
        has(verdict, "staleWriteRefused", fencing, "finalWriter", fencing ? "worker-B" : "worker-A");
        assertThat((Long) verdict.get("staleToken")).isLessThan((Long) verdict.get("acceptedToken"));
    }

    private static void has(Map<String, @Nullable Object> verdict, Object... namesAndValues) {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            assertThat(verdict).containsEntry((String) namesAndValues[i], namesAndValues[i + 1]);
        }
    }

    private static List<Map<String, @Nullable Object>> events(String out) {
        return out.lines().map(Json::parse).toList();
    }

    private static List<Map<String, @Nullable Object>> verdicts(List<Map<String, @Nullable Object>> events) {
        return events.stream()
                .filter(event -> "verdict".equals(event.get("event")))
                .toList();
    }

    private static Set<String> names(List<Map<String, @Nullable Object>> verdicts) {
        return verdicts.stream()
                .map(verdict -> String.valueOf(verdict.get("scenario")))
                .collect(Collectors.toSet());
    }
}
