package io.fencedlock.compliance;

import java.util.Collection;

/** What a run says of its target. */
public enum Verdict {
    /** Every rule held, or is about a capability that is not declared. */
    PASS("pass", 0),
    /** The same, but for rules that the target disclaims. */
    PASS_WITH_DEVIATIONS("pass-with-deviations", 0),
    /** A rule did not hold. */
    FAIL("fail", 1),
    /** No verdict: rules were not run. */
    PARTIAL("partial", 3);

    private final String text;
    private final int exitCode;

    Verdict(String text, int exitCode) {
        this.text = text;
        this.exitCode = exitCode;
    }

    /**
     * For reports.
     *
     * @return lower case with hyphens
     */
    public String text() {
        return text;
    }

    /**
     * For command lines.
     *
     * @return 0, 1 or 3
     */
    public int exitCode() {
        return exitCode;
    }

    static Verdict of(Collection<Outcome> outcomes) {
        if (outcomes.contains(Outcome.FAILED)) {
            return FAIL;
        }
        boolean ran = outcomes.contains(Outcome.PASSED) || outcomes.contains(Outcome.DEVIATION);
        if (!ran || outcomes.contains(Outcome.NOT_RUN)) {
            return PARTIAL;
        }
        return outcomes.contains(Outcome.DEVIATION) ? PASS_WITH_DEVIATIONS : PASS;
    }
}
