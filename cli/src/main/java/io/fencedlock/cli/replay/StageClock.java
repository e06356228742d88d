package io.fencedlock.cli.replay;

/** The clock of a timeline. */
interface StageClock {

    long nanos();

    /** Lets time pass until then; returns at once if it has passed. */
    void passUntil(long nanos);
}
