package io.fencedlock.compliance;

/** A rule is about something that the target does not have or declare: the rule is SKIPPED. */
public final class NotApplicable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param reason one sentence
     */
    public NotApplicable(String reason) {
        super(reason);
    }
}
