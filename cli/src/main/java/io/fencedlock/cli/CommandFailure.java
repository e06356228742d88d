package io.fencedlock.cli;

/** Ends a command with one sentence for people and an exit code. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    CommandFailure(int exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    static CommandFailure wrongInput(String sentence) {
        return new CommandFailure(Exit.WRONG_INPUT, sentence);
    }

    int exitCode() {
        return exitCode;
    }
}
