package io.fencedlock.cli.replay;

import java.util.Optional;

/** A backend to replay on, with its workers. */
interface Venue extends AutoCloseable {

    String backend();

    /** For people, without secrets. */
    String place();

    /** The workers; started when they are first asked for. */
    Cast cast();

    /** Ends the workers after a run that broke off; the next ones are new. */
    void dismiss();

    /** A lock name, also the resource's, that nothing uses yet, for the so many-th run. */
    String subject(int run);

    /** Why a scenario that needs this cannot be played here, in one sentence. */
    Optional<String> lacks(Needs needs);

    Faults faults();

    /** The database for resources apart from the store, in words, if there is one. */
    Optional<String> database();

    /** Whether the first use of everything takes long, as in a JVM that has just started. */
    boolean startsCold();

    /** Ends the workers and whatever was started for them. */
    @Override
    void close();
}
