package io.fencedlock.cli;

import java.util.Collection;
import java.util.List;

/** Ends a command with one sentence for people and an exit code. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    public CommandFailure(int exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    public static CommandFailure wrongInput(String sentence) {
        return new CommandFailure(Exit.WRONG_INPUT, sentence);
    }

    /** Before anything is begun: all words that an option was given have to be known. */
    static void requireKnown(String option, Collection<String> known, List<String> given) {
        for (String word : given) {
            if (!known.contains(word)) {
                throw wrongInput(option + " takes " + String.join(", ", known) + ", found \"" + word + "\"");
            }
        }
    }

    int exitCode() {
        return exitCode;
    }
}
