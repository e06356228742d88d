package io.fencedlock.compliance;

/** What became of a rule in a run. */
public enum Outcome {
    /** It was run and held. */
    PASSED,
    /** It was run and did not hold. */
    FAILED,
    /** It was run and did not hold, as the profile or the file of known deviations says, or as a SHOULD allows. */
    DEVIATION,
    /** The target does not declare the capability that it is about. */
    SKIPPED,
    /** A control hook is missing, or the run was filtered. */
    NOT_RUN
}
