package io.fencedlock.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLocks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Only what the profile says is excused, and only where it says it. */
class DeclaredTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private static BackendProfile profile(String url) {
        try (FencedLocks locks = FencedLocks.connect(url)) {
            return locks.profile();
        }
    }

    private static Declared of(boolean losesWrites, String url, String tokens) {
        return new Declared(losesWrites, !url.startsWith("redlock:"), profile(url), tokens, LEASE);
    }

    private static List<Nemesis> faults(String... names) {
        return List.of(names).stream().map(Nemeses::named).toList();
    }

    @Test
    void whatTokensSurviveIsNotExcused() {
        Declared redis = of(true, "redis://127.0.0.1:1", "default");
        assertThat(redis.covers(faults("lost-write-failover"), 0)).isFalse();
        assertThat(redis.covers(faults("kill-leader", "lose-counter"), 0)).isFalse();
    }

    @Test
    void whatTheyDoNotSurviveIs_butNotWhereWeakerTokensWereAskedFor() {
        String weak = "redis://127.0.0.1:1?tokens=counter";
        assertThat(of(true, weak, "default").covers(faults("lost-write-failover"), 0))
                .isTrue();
        assertThat(of(true, weak, "counter").covers(faults("lost-write-failover"), 0))
                .isFalse();
    }

    @Test
    void aWrongClockIsExcusedWhereTokensRestOnIt_forAsLongAsItWasAhead() {
        Declared cluster = of(true, "redis://127.0.0.1:1", "default");
        Declared single = of(false, "redis://127.0.0.1:1", "default");
        assertThat(cluster.covers(faults("step-server-clock"), 0)).isFalse();
        assertThat(cluster.covers(faults("step-server-clock", "pause-leader"), 0))
                .isTrue();
        assertThat(single.covers(faults("step-server-clock"), 0)).isFalse();
        assertThat(single.covers(faults("step-server-clock", "wipe-server"), 0)).isTrue();

        single.healed(faults("step-server-clock"));
        long now = System.nanoTime();
        assertThat(single.covers(faults("wipe-server"), now)).isTrue();
        assertThat(single.covers(faults("pause-server"), now)).isFalse();
        assertThat(single.covers(
                        faults("wipe-server"), now + LEASE.multipliedBy(3).toNanos()))
                .isFalse();
    }

    @Test
    void oneOfManyClocksExcusesNothing() {
        Declared redlock = of(false, "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3", "default");
        assertThat(redlock.covers(faults("step-server-clock", "wipe-server"), 0))
                .isFalse();
        assertThat(redlock.covers(faults("step-server-clock", "lose-counter"), 0))
                .isFalse();
    }
}
