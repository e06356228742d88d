package io.fencedlock.compliance;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The suite for JUnit: a subclass gives the target, and every rule of SPEC.md becomes a test.
 *
 * <pre>{@code
 * class MyBackendComplianceTest extends FencedLockCompliance {
 *     @Override
 *     protected ComplianceTarget target() {
 *         return ComplianceTarget.of("mine", "mine://localhost:1234");
 *     }
 * }
 * }</pre>
 *
 * <p>A failed rule is a failed test; DEVIATION, SKIPPED and NOT_RUN are aborted tests with their reason. Configuration parameters of JUnit, or
 * system properties: {@code fencedlock.profile} (quick, full, soak), {@code fencedlock.seed}, {@code fencedlock.multiplier} (stretches all
 * times), {@code fencedlock.known-deviations} (a file). A summary is printed at the end. Names of locks and resources are unique, so a shared
 * server is safe, and it is left as it was.
 *
 * <p>With {@code junit.jupiter.execution.parallel.enabled} rules that mostly wait run side by side, which halves the time; all others still
 * run alone.
 */
@ExtendWith(SuiteExtension.class)
public abstract class FencedLockCompliance {

    /** For subclasses. */
    protected FencedLockCompliance() {}

    /**
     * Gives the target; called once for the class, closed after its last test.
     *
     * @return the target
     */
    protected abstract ComplianceTarget target();

    @Nested
    class Tokens extends TokenRules {}

    @Nested
    class Exclusion extends ExclusionRules {}

    @Nested
    class Leases extends LeaseRules {}

    @Nested
    class Release extends ReleaseRules {}

    @Nested
    class Waiting extends WaitingRules {}

    @Nested
    class Loss extends LossRules {}

    @Nested
    class Fence extends FenceRules {}

    @Nested
    class Clients extends ClientRules {}

    @Nested
    class Configuration extends ConfigurationRules {}

    @Nested
    class HolderFaults extends HolderFaultRules {}

    @Nested
    class ServerFaults extends ServerFaultRules {}
}
