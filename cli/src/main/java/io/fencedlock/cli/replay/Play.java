package io.fencedlock.cli.replay;

import java.util.List;
import java.util.Optional;

/**
 * A run from its beginning to its end.
 *
 * @param run which
 * @param summary the scenario in a sentence
 * @param steps what happened, in order
 * @param verdict how it ended; empty if it broke off
 * @param failure why it broke off; empty if it did not
 */
record Play(Run run, String summary, List<Step> steps, Optional<Verdict> verdict, String failure) {
    Play {
        steps = List.copyOf(steps);
    }

    /** For style sheets, too. */
    enum Mark {
        EXPECTED("✓", "As expected"),
        UNEXPECTED("✗", "Not as expected"),
        BROKEN("!", "Broke off");

        final String sign;
        final String words;

        Mark(String sign, String words) {
            this.sign = sign;
            this.words = words;
        }
    }

    Mark mark() {
        return verdict.map(it -> it.asExpected() ? Mark.EXPECTED : Mark.UNEXPECTED)
                .orElse(Mark.BROKEN);
    }

    String sentence() {
        return verdict.map(Verdict::sentence).orElse(failure);
    }
}
