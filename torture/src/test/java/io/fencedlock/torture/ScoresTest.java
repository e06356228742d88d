package io.fencedlock.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.compliance.history.Law;
import io.fencedlock.compliance.history.Violation;
import io.fencedlock.torture.Finding.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is found is counted as what it is; what a profile declares is counted apart. */
class ScoresTest {

    private final List<Finding> told = new ArrayList<>();
    private final Scores scores = new Scores(new Progress() {
        @Override
        public void begun(Plan plan, String place) {}

        @Override
        public void checked(String phase, Counts now) {}

        @Override
        public void found(Finding finding) {
            told.add(finding);
        }
    });

    private Summary summary() {
        return scores.summary(
                Plan.of("redis", Duration.ofSeconds(1), 3), "here", scores.counts(new Chronicle()), Map.of());
    }

    private static List<Violation> broken(Law... laws) {
        return List.of(laws).stream()
                .map(law -> new Violation(law, "broken", List.of()))
                .toList();
    }

    @Test
    void eachLawCountsAsWhatItIs() {
        scores.violations(
                "phase 1",
                broken(Law.UNIQUE_TOKENS, Law.TOKEN_ORDER, Law.LOST_UPDATE, Law.BOUNDED, Law.EXCLUSION),
                false);
        scores.leftover("one entry", List.of());
        scores.hang("phase 1", "nothing moves");
        Summary summary = summary();
        assertThat(summary.count(Kind.TOKEN)).isEqualTo(2);
        assertThat(summary.count(Kind.LOST_UPDATE)).isEqualTo(1);
        assertThat(summary.count(Kind.HANG)).isEqualTo(2);
        assertThat(summary.count(Kind.LEFTOVER)).isEqualTo(1);
        assertThat(summary.count(Kind.OTHER)).isEqualTo(1);
        assertThat(summary.clean()).isFalse();
        assertThat(told).hasSize(7).isEqualTo(summary.findings());
    }

    @Test
    void whatTheProfileDeclares_isCountedApart_andOnlyWhatTokensExplain() {
        scores.violations("phase 1", broken(Law.UNIQUE_TOKENS, Law.FALSE_REFUSAL), true);
        assertThat(summary().clean()).isTrue();
        assertThat(summary().fields()).containsEntry("declared", 2L).containsEntry("tokenViolations", 0L);
        scores.violations("phase 2", broken(Law.LOST_UPDATE), true);
        assertThat(summary().clean()).isFalse();
    }
}
