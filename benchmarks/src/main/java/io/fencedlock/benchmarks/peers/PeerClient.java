package io.fencedlock.benchmarks.peers;

import io.fencedlock.HolderInfo;
import io.fencedlock.LockOptions;
import java.util.Optional;

/** A client of a lock library. What the library cannot do throws {@link UnsupportedOperationException}. Thread-safe. */
interface PeerClient extends AutoCloseable {

    /** A lock object of the library. */
    PeerMutex mutex(String name, LockOptions options);

    /** What an operator finds in the store. */
    Optional<HolderInfo> inspect(String name) throws Exception;

    /** What an operator does to free a lock. */
    void remove(String name) throws Exception;

    /** One of our exceptions that says the same as the library's, or the library's own. */
    RuntimeException translated(Throwable thrown);

    @Override
    void close();
}
