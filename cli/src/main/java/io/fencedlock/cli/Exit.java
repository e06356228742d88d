package io.fencedlock.cli;

/** What the command line tells its caller by its exit code. */
public final class Exit {
    public static final int OK = 0;
    /** The command ran and its answer is no. */
    public static final int NO = 1;
    /** The input cannot be used. */
    public static final int WRONG_INPUT = 2;
    /** A backend or a server cannot be reached or had (EX_UNAVAILABLE). */
    public static final int UNREACHABLE = 69;
    /** A fault of this program (EX_SOFTWARE). */
    public static final int INTERNAL = 70;
    /** The lock is held by another (EX_TEMPFAIL). */
    public static final int HELD = 75;
    /** The lease was lost while the command ran (EX_PROTOCOL). */
    public static final int LOST = 76;
    /** The command is there but cannot be started, as in a shell. */
    public static final int NOT_EXECUTABLE = 126;
    /** The command was not found, as in a shell. */
    public static final int NOT_FOUND = 127;
    /** Added to the number of the signal that ended the command, as in a shell. */
    public static final int SIGNAL = 128;

    private Exit() {}
}
