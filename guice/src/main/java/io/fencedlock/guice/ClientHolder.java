package io.fencedlock.guice;

import io.fencedlock.FencedLocks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows the client of one injector, so that it can be closed without being opened for that. */
final class ClientHolder {
    private final Map<?, ?> properties;
    private @Nullable FencedLocks client;
    private boolean closed;

    ClientHolder(Map<?, ?> properties) {
        this.properties = properties;
    }

    synchronized FencedLocks open() {
        if (closed) {
            throw new IllegalStateException("the injector's FencedLocks are closed");
        }
        FencedLocks opened = client == null ? FencedLocks.connect(properties) : client;
        client = opened;
        return opened;
    }

    synchronized void close() {
        closed = true;
        if (client != null) {
            client.close();
        }
    }
}
