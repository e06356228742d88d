package io.fencedlock.benchmarks.peers;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A lock object of a library. */
interface PeerMutex {

    PeerHold acquire() throws Exception;

    /** Waits zero or more. */
    Optional<PeerHold> tryAcquire(Duration wait) throws Exception;

    /** Cancelling it gives up. */
    CompletableFuture<PeerHold> acquireAsync();
}
