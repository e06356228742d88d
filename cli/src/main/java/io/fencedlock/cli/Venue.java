package io.fencedlock.cli;

/** A backend to replay on, with its workers. */
interface Venue extends AutoCloseable {

    String backend();

    /** For people, without secrets. */
    String place();

    Cast cast();

    /** A lock name, also the resource's, that nothing uses yet. */
    String newSubject();

    /** Ends the workers and whatever was started for them. */
    @Override
    void close();
}
