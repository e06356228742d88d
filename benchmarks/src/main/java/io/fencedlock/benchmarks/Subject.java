package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** One way to lock that is measured. */
interface Subject {

    /** The lease time, watchdog or session unless a workload needs another. */
    Duration LEASE = Duration.ofSeconds(15);

    /** What not every subject can do. */
    enum Trait {
        /** Waits for a lock that is held. */
        WAITS,
        /** Renews what it holds by itself. */
        RENEWS,
        /** Acquires without blocking the caller. */
        ASYNC
    }

    /** Its name in tables: {@code fencedlock}, a peer's, or {@code raw} for the fewest requests that could do the job. */
    String name();

    Set<Trait> traits();

    /** Opens a client of its own. */
    Client open(Server server, Duration lease) throws Exception;

    /** Opens a client of its own. */
    default Client open(Server server) throws Exception {
        return open(server, LEASE);
    }

    /** A client, used by many threads. */
    interface Client extends AutoCloseable {

        /** Acquires, waiting as long as it takes; answers what releases it. */
        Held acquire(String name) throws Exception;

        /** Acquires without blocking. */
        default CompletableFuture<Held> acquireAsync(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        void close();
    }

    /** A lock that is held by the calling thread. */
    interface Held {
        void release() throws Exception;
    }

    /** All that lock on a store. */
    static List<Subject> on(Store store) {
        return switch (store) {
            case REDIS -> RedisSubjects.all();
            case ZOOKEEPER -> ZooKeeperSubjects.all();
            case ETCD -> EtcdSubjects.all();
            default -> throw new IllegalArgumentException("no lock on " + store);
        };
    }

    /** A subject from its parts. */
    static Subject of(String name, Opener opener, Trait... traits) {
        Set<Trait> all = Set.of(traits);
        return new Subject() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Set<Trait> traits() {
                return all;
            }

            @Override
            public Client open(Server server, Duration lease) throws Exception {
                return opener.open(server, lease);
            }
        };
    }

    /** Opens a client. */
    interface Opener {
        Client open(Server server, Duration lease) throws Exception;
    }

    /** No client: for a workload that opens its own, beside which another one would be counted. */
    static Client none() {
        return client(
                name -> {
                    throw new UnsupportedOperationException();
                },
                () -> {});
    }

    /** A client from its parts. */
    static Client client(Acquirer acquirer, AutoCloseable closer) {
        return client(
                acquirer,
                name -> {
                    throw new UnsupportedOperationException();
                },
                closer);
    }

    /** A client from its parts that can acquire without blocking. */
    static Client client(Acquirer acquirer, AsyncAcquirer async, AutoCloseable closer) {
        return new Client() {
            @Override
            public Held acquire(String name) throws Exception {
                return acquirer.acquire(name);
            }

            @Override
            public CompletableFuture<Held> acquireAsync(String name) {
                return async.acquire(name);
            }

            @Override
            public void close() {
                try {
                    closer.close();
                } catch (Exception e) {
                    throw new IllegalStateException("a client could not be closed", e);
                }
            }
        };
    }

    /** Acquires. */
    interface Acquirer {
        Held acquire(String name) throws Exception;
    }

    /** Acquires without blocking. */
    interface AsyncAcquirer {
        CompletableFuture<Held> acquire(String name);
    }
}
