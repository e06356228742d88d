package io.fencedlock.benchmarks.peers;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockOptions;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A client of another library, with our face. It adds nothing: no check, no retry, no state but the answer of a first release. */
final class PeerLocks implements FencedLocks {

    private final PeerClient client;
    private final BackendProfile profile;
    private final LockOptions options;

    PeerLocks(PeerClient client, BackendProfile profile, Duration lease) {
        this.client = client;
        this.profile = profile;
        options = LockOptions.lease(lease);
    }

    @Override
    public FencedLock get(String name) {
        return get(name, options);
    }

    @Override
    public FencedLock get(String name, LockOptions chosen) {
        if (chosen.maxHold().isPresent()) {
            throw new UnsupportedOperationException("it has no longest hold time");
        }
        if (chosen.lease().compareTo(profile.smallestLease()) < 0) {
            throw new UnsupportedOperationException("it declares no smallest lease time");
        }
        return new PeerLock(client, name, client.mutex(name, chosen));
    }

    @Override
    public LockOptions options() {
        return options;
    }

    @Override
    public Optional<HolderInfo> inspect(String name) throws InterruptedException {
        return call(client, () -> client.inspect(name));
    }

    @Override
    public Release forceRelease(String name, long token) throws InterruptedException {
        return call(client, () -> {
            if (client.inspect(name).filter(found -> found.token() == token).isEmpty()) {
                return Release.NOT_HELD;
            }
            client.remove(name);
            return Release.RELEASED;
        });
    }

    @Override
    public void raiseTokens(long floor) {
        throw new UnsupportedOperationException("its tokens cannot be raised");
    }

    @Override
    public BackendProfile profile() {
        return profile;
    }

    @Override
    public void close() {
        client.close();
    }

    /** A call of the library's, its exceptions in our words. */
    static <T> T call(PeerClient client, Callable<T> call) throws InterruptedException {
        try {
            return call.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw client.translated(e);
        }
    }
}
