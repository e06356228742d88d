package io.fencedlock.cli;

import io.fencedlock.compliance.ComplianceReport;
import io.fencedlock.compliance.RuleResult;
import io.fencedlock.compliance.Settings;
import java.util.List;

/** Who is told how a verification goes on. */
interface Progress {

    void begin(String backend, String server, Settings settings);

    void result(String backend, RuleResult result);

    /** All that was run, in its order; called once, also when something could not be run. */
    void end(List<ComplianceReport> reports);
}
