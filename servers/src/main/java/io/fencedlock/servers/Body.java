package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** What a server lives in: a process or a container. Not thread-safe; {@link OwnServer} calls it from one thread at a time. */
interface Body {
    /** The world as the server in this body sees it. */
    Node node(int port, int tlsPort);

    /** The address at which clients find the server. */
    String host();

    /** Makes the data empty and lays out the files. The server does not run then. */
    void prepare(Kind.Plan plan);

    /** Starts the server on the data that are there; does not wait until it is ready. */
    void launch(Kind.Plan plan);

    boolean running();

    /** Whether it is this very server that listens on the port; true when that cannot be told. */
    boolean owns(int port);

    void pause();

    void resume();

    /** Steps the wall clock of the server, now and in later lives. */
    default void stepClock(Duration by) {
        throw new UnsupportedOperationException("the clock of a container cannot be stepped");
    }

    /** The group that the server alone is in, if it has one. */
    default Optional<Group> group() {
        return Optional.empty();
    }

    /** Lets the server write to its disk only a few times a second. */
    default Disturbance slowDisk(int writesPerSecond) {
        throw new IllegalStateException("the disk of a container is left alone");
    }

    /** Ends the server: in order within the grace time, else at once. */
    void end(Duration grace);

    Optional<Long> pid();

    /** The end of the server's log. */
    String lastWords();

    String version(Kind kind, InetSocketAddress address);

    String origin();

    /** Removes all that is left of the server. Never throws. */
    void remove();
}
