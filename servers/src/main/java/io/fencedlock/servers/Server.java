package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * A real server for a test or a demonstration. It listens on one port from start to {@link #close}, also over restarts.
 *
 * <p>Thread-safe; the methods that change the server run one at a time and block until the server has reached the new state, at most
 * a minute; they throw {@link IllegalStateException} when it does not, and {@link UnsupportedOperationException} when the server was
 * given by the user ({@link #canBeHarmed()} is false then). A server of our own ends with this JVM, however that ends, and its data
 * with it.
 */
public interface Server extends AutoCloseable {
    /**
     * What kind of server this is.
     *
     * @return the store
     */
    Store store();

    /**
     * Where clients connect without TLS.
     *
     * @return host and port
     */
    InetSocketAddress address();

    /**
     * Where clients connect with TLS, if the server was started with it.
     *
     * @return host and port, empty without TLS
     */
    Optional<InetSocketAddress> tlsAddress();

    /**
     * The address as a URL of fencedlock: {@code redis://127.0.0.1:21000}. For a server given by the user: what was given.
     *
     * @return the URL without TLS
     */
    String url();

    /**
     * The TLS address as a URL of fencedlock: {@code rediss://127.0.0.1:21001}.
     *
     * @return the URL
     * @throws IllegalStateException if the server was started without TLS
     */
    String tlsUrl();

    /**
     * The server's own version.
     *
     * @return for example {@code 7.0.15}; {@code unknown} if a given server does not tell
     */
    String version();

    /**
     * Which way the server was had.
     *
     * @return a few words for people, for example {@code /usr/bin/redis-server}
     */
    String origin();

    /**
     * Whether the server is one of our own, which may be paused, killed and wiped.
     *
     * @return false for a server that the user gave
     */
    boolean canBeHarmed();

    /**
     * Stops the server from doing anything (SIGSTOP); its connections stay open, new ones are accepted by the kernel alone. Returns when it
     * stands still, which for one in a container takes a second: it is asked until an answer stays away.
     */
    void pause();

    /** Lets a paused server go on. */
    void resume();

    /** Ends the server at once (SIGKILL), also while it is paused; its data stay. Without effect on a server that has ended. */
    void kill();

    /** Ends the server in order (SIGTERM, and SIGKILL after 15 s); its data stay. Without effect on a server that has ended. */
    void stop();

    /**
     * Kills the server if it runs, and starts it on the same port; returns when it answers.
     *
     * @param data whether it finds its data again
     */
    void restart(Data data);

    /**
     * Steps the wall clock of the server at once; its monotonic clock goes on as before. Steps add up, and outlast a restart.
     *
     * @param by how far, negative for back
     * @throws UnsupportedOperationException if the server was started without {@link ServerOptions#steppableClock()}
     */
    void stepClock(Duration by);

    /**
     * Lets the server write to its disk only a few times a second. Only one that waits for its disk suffers: Redis with {@code appendfsync
     * always}, as it is started; etcd with {@code unsafe-no-fsync=false}, and ZooKeeper with {@code forceSync=yes}. Root on Linux can do that,
     * where control groups have version 1.
     *
     * @param writesPerSecond how many
     * @return ends it when it is closed; a restart ends it as well
     * @throws IllegalStateException if it cannot be done here; the message says why
     */
    Disturbance slowDisk(int writesPerSecond);

    /**
     * Waits until the server answers a ping.
     *
     * @param limit how long to wait
     * @throws IllegalStateException if it does not answer in time
     */
    void awaitReady(Duration limit);

    /**
     * Whether the server answers a ping within a second. Works for every server, also a given one.
     *
     * @return true if it answered
     */
    boolean answers();

    /**
     * What is stored on the server: keys of Redis and etcd, znodes of ZooKeeper.
     *
     * @return a view, which asks the server at each call; it speaks without TLS and password
     * @throws UnsupportedOperationException if the server was given by the user, or is a database
     */
    Contents contents();

    /**
     * The id of the server's process.
     *
     * @return the id; empty in a container, for a given server, and while it is ended
     */
    Optional<Long> pid();

    /** Ends the server and removes its data. Never throws; does nothing the second time and for a server that the user gave. */
    @Override
    void close();
}
