package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;

/**
 * A waiter's wait for the end of one key. Thread-safe.
 *
 * @param key a key that was there
 * @param seen the revision at which it was there
 * @param heard completes when it is worth asking again
 */
record Hint(ByteString key, long seen, CompletableFuture<Void> heard) {

    static Hint on(ByteString key, long seen) {
        return new Hint(key, seen, new CompletableFuture<>());
    }

    void tell() {
        heard.complete(null);
    }
}
