package io.fencedlock.compliance;

/** A rule needs a control hook that the target does not have: the rule is NOT_RUN. */
public final class ControlMissing extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param what what the target cannot do, in words: "stall a client's connection"
     */
    public ControlMissing(String what) {
        super("the target has no control hook to " + what);
    }
}
