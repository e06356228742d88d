package io.fencedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.compliance.ComplianceReport;
import io.fencedlock.compliance.ComplianceRun;
import io.fencedlock.compliance.Outcome;
import io.fencedlock.compliance.Settings;
import io.fencedlock.compliance.Verdict;
import io.fencedlock.servers.Store;
import io.fencedlock.verify.ServerTarget;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The textbook's tokens lose what their profile says, and nothing else. */
@Tag("full")
class RedisTextbookTokensTest {

    @Test
    void deviationsAreWhatTheProfileDisclaims() {
        ComplianceReport report =
                new ComplianceRun(ServerTarget.start(Store.REDIS, "tokens=counter"), Settings.quick()).run();

        assertThat(rules(report, Outcome.FAILED)).isEmpty();
        assertThat(rules(report, Outcome.DEVIATION))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(
                        report.profile().disclaims().keySet());
        assertThat(report.verdict()).isEqualTo(Verdict.PASS_WITH_DEVIATIONS);
    }

    private static List<String> rules(ComplianceReport report, Outcome outcome) {
        return report.results().stream()
                .filter(result -> result.outcome() == outcome)
                .map(result -> result.rule().id())
                .toList();
    }
}
