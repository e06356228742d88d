package io.fencedlock.benchmarks.peers;

import io.fencedlock.Release;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A mutex as it comes: the calling thread acquires, and the calling thread releases. */
final class CallingThreadMutex implements PeerMutex {

    private final CuratorPeerClient client;
    private final PathMutex mutex;

    CallingThreadMutex(CuratorPeerClient client, String name) {
        this.client = client;
        mutex = new PathMutex(client.curator(), CuratorPeerClient.path(name));
    }

    private CuratorHold hold() {
        return new CuratorHold(client, mutex, () -> {
            mutex.release();
            return Release.RELEASED;
        });
    }

    @Override
    public PeerHold acquire() throws Exception {
        mutex.acquire();
        return hold();
    }

    @Override
    public Optional<PeerHold> tryAcquire(Duration wait) throws Exception {
        return mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(hold()) : Optional.empty();
    }

    @Override
    public CompletableFuture<PeerHold> acquireAsync() {
        throw new UnsupportedOperationException("the calling thread has to wait");
    }
}
