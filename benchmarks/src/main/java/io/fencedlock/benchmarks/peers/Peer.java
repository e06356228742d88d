package io.fencedlock.benchmarks.peers;

import io.fencedlock.BackendProfile;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A lock library on its store. */
interface Peer {

    Store store();

    /** The library's artifacts with their versions. */
    String versions();

    /**
     * What the suite asks it for: limits as the library has them, and what our own backend of the store promises of tokens, since no peer
     * promises anything.
     */
    BackendProfile profile();

    /**
     * Opens a client.
     *
     * @param lease the time of its locks: watchdog, session or etcd lease
     * @param reachable whether the server is there, and worth waiting for
     */
    PeerClient open(InetSocketAddress server, Duration lease, boolean reachable) throws Exception;

    /** How many entries of the library's are on the server. */
    long entries(Server server) throws Exception;

    /** Deletes what the library's tokens are made from. */
    void loseCounter(Server server) throws Exception;
}
