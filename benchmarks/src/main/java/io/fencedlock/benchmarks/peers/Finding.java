package io.fencedlock.benchmarks.peers;

import io.fencedlock.compliance.ComplianceReport;
import io.fencedlock.compliance.Outcome;
import io.fencedlock.compliance.RuleResult;
import java.util.List;
import java.util.Set;

/**
 * What the suite found in one way to use a library.
 *
 * @param way the way
 * @param server store and version
 * @param report of the first run
 * @param passing rules that failed in it and held when they were run again
 */
record Finding(Way way, String server, ComplianceReport report, Set<String> passing) {

    private static final String OBSERVED = "observed: ";

    List<RuleResult> failed() {
        return results(Outcome.FAILED).stream()
                .filter(result -> !passing.contains(result.rule().id()))
                .toList();
    }

    List<RuleResult> results(Outcome outcome) {
        return report.results().stream()
                .filter(result -> result.outcome() == outcome
                        && way.rules().test(result.rule().id()))
                .toList();
    }

    /** The sentence that says what was seen, in one line. */
    static String observed(RuleResult result) {
        String message = result.message();
        int begin = message.indexOf(OBSERVED);
        String rest = begin < 0 ? message : message.substring(begin + OBSERVED.length());
        return rest.lines().findFirst().orElse("").strip();
    }
}
