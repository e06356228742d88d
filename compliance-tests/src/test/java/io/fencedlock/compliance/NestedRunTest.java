package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A run may be started by a test, also where the project's tests run in parallel. */
class NestedRunTest {

    @Test
    void startedByATestInAWorkerOfJUnits_runs() {
        SummaryGeneratingListener heard = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(Starts.class))
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                                .configurationParameter(
                                        "junit.jupiter.execution.parallel.config.executor-service",
                                        "WORKER_THREAD_POOL")
                                .build(),
                        heard);
        assertThat(heard.getSummary().getFailures()).isEmpty();
        assertThat(heard.getSummary().getTestsSucceededCount()).isEqualTo(1);
    }

    static final class Starts {
        @Test
        void aRun() {
            ComplianceReport report = new ComplianceRun(
                            ComplianceTarget.memory(), new Settings(Settings.Profile.QUICK, 5, 1, Map.of()))
                    .only(rule -> rule.equals("FEN-1"))
                    .run();
            assertThat(report.count(Outcome.PASSED)).isEqualTo(1);
        }
    }
}
