package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;

/** One way to lock that is measured. */
interface Subject {

    /** Its name in tables: {@code fencedlock}, a peer's, or {@code raw} for the fewest requests that could do the job. */
    String name();

    /** Opens a client of its own. */
    Client open(Server server) throws Exception;

    /** Whether a client can wait for a lock that is held: the raw floor cannot. */
    default boolean waits() {
        return true;
    }

    /** A client, used by many threads. */
    interface Client extends AutoCloseable {

        /** Acquires, waiting as long as it takes; answers what releases it. */
        Held acquire(String name) throws Exception;

        @Override
        void close();
    }

    /** A lock that is held by the calling thread. */
    interface Held {
        void release() throws Exception;
    }

    /** A subject from its parts. */
    static Subject of(String name, boolean waits, Opener opener) {
        return new Subject() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public boolean waits() {
                return waits;
            }

            @Override
            public Client open(Server server) throws Exception {
                return opener.open(server);
            }
        };
    }

    /** Opens a client. */
    interface Opener {
        Client open(Server server) throws Exception;
    }

    /** A client from its parts. */
    static Client client(Acquirer acquirer, AutoCloseable closer) {
        return new Client() {
            @Override
            public Held acquire(String name) throws Exception {
                return acquirer.acquire(name);
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
}
