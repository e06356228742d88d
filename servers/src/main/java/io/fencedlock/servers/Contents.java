package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * What clients have stored on a server, seen without any driver, TLS or password. Thread-safe; each call asks the server anew and blocks
 * until it has answered, at most some seconds. A server that does not answer, or refuses, is an {@link java.io.UncheckedIOException}.
 */
public interface Contents {

    /**
     * The contents of any server.
     *
     * @param store Redis (its first database), ZooKeeper or etcd
     * @param address where it listens without TLS
     * @return the view; nothing is asked yet
     * @throws UnsupportedOperationException if the store is a database
     */
    static Contents of(Store store, InetSocketAddress address) {
        return Kind.of(store).contents(address);
    }

    /**
     * The keys of Redis and etcd, the paths of ZooKeeper's znodes but for its own.
     *
     * @return all of them, as text
     */
    Set<String> keys();

    /**
     * Deletes a key, or a znode with everything below it. Without effect if it is not there.
     *
     * @param key one of {@link #keys()}
     */
    void delete(String key);
}
