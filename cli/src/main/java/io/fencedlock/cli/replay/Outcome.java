package io.fencedlock.cli.replay;

/**
 * How a scenario went on a backend, over all of its runs.
 *
 * @param scenario its name
 * @param backend the backend's name; any, if it is of no matter
 * @param how in a word
 */
record Outcome(String scenario, String backend, How how) {
    boolean isOfTheSame(Outcome other) {
        return scenario.equals(other.scenario) && backend.equals(other.backend);
    }

    /** From best to worst. */
    enum How {
        AS_EXPECTED("as expected"),
        NOT_PLAYED("not played"),
        NOT_AS_EXPECTED("NOT AS EXPECTED"),
        BROKE_OFF("BROKE OFF");

        private final String words;

        How(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }
}
