package io.fencedlock.compliance;

import org.jspecify.annotations.Nullable;

/** A rule did not hold; the message says what was observed. */
final class RuleBroken extends AssertionError {

    private static final long serialVersionUID = 1L;

    RuleBroken(String observed) {
        super(observed);
    }

    RuleBroken(String observed, @Nullable Throwable cause) {
        super(observed, cause);
    }
}
