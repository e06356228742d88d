package io.fencedlock.benchmarks.peers;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockOptions;
import io.fencedlock.LossReason;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.RedissonShutdownException;
import org.redisson.api.RFencedLock;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.codec.StringCodec;

/** A Redisson client. The owner of a lock is the thread that asked for it; other threads release it with that thread's id. */
final class RedissonPeerClient implements PeerClient {

    private final RedissonClient client;
    private final Duration watchdog;
    private final RedissonPeer.Use use;

    RedissonPeerClient(RedissonClient client, Duration watchdog, RedissonPeer.Use use) {
        this.client = client;
        this.watchdog = watchdog;
        this.use = use;
    }

    @Override
    public PeerMutex mutex(String name, LockOptions options) {
        if (options.renewed() && !options.lease().equals(watchdog)) {
            throw new UnsupportedOperationException("its watchdog knows one lease time for all locks of a client");
        }
        return new Mutex(client.getFencedLock(name), options);
    }

    @Override
    public Optional<HolderInfo> inspect(String name) {
        Iterator<Object> owners =
                client.getMap(name, StringCodec.INSTANCE).readAllKeySet().iterator();
        if (!owners.hasNext()) {
            return Optional.empty();
        }
        HolderId holder = holder(owners.next().toString());
        RFencedLock lock = client.getFencedLock(name);
        return Optional.of(new HolderInfo(
                holder,
                lock.getToken(),
                Optional.empty(),
                Optional.of(Duration.ofMillis(Math.max(0, lock.remainTimeToLive()))),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalInt.empty()));
    }

    /** Redisson's holder is the client's id and the thread's; ours has room for the former. */
    private static HolderId holder(String owner) {
        return new HolderId(owner.substring(0, 36).replace("-", ""));
    }

    @Override
    public void remove(String name) {
        client.getFencedLock(name).forceUnlock();
    }

    @Override
    public RuntimeException translated(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException || thrown instanceof ExecutionException
                ? thrown.getCause()
                : thrown;
        if (cause instanceof RedissonShutdownException) {
            return new IllegalStateException("the client is closed", cause);
        } else if (cause instanceof RedisResponseTimeoutException) {
            return new OutcomeUnknownException(String.valueOf(cause.getMessage()), cause);
        } else if (cause instanceof RedisException) {
            return new BackendUnavailableException(String.valueOf(cause.getMessage()), cause);
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }

    @Override
    public void close() {
        client.shutdown();
    }

    private final class Mutex implements PeerMutex {

        private final RFencedLock lock;
        private final LockOptions options;

        Mutex(RFencedLock lock, LockOptions options) {
            this.lock = lock;
            this.options = options;
        }

        private Hold hold(long token) {
            return new Hold(lock, options, Thread.currentThread().getId(), token);
        }

        @Override
        public PeerHold acquire() {
            return hold(
                    options.renewed()
                            ? lock.lockAndGetToken()
                            : lock.lockAndGetToken(options.lease().toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public Optional<PeerHold> tryAcquire(Duration wait) {
            return Optional.ofNullable(token(wait)).map(this::hold);
        }

        private @Nullable Long token(Duration wait) {
            if (!options.renewed()) {
                return lock.tryLockAndGetToken(wait.toMillis(), options.lease().toMillis(), TimeUnit.MILLISECONDS);
            }
            return wait.isZero() && use == RedissonPeer.Use.SHORT_TRY
                    ? lock.tryLockAndGetToken()
                    : lock.tryLockAndGetToken(wait.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public CompletableFuture<PeerHold> acquireAsync() {
            long thread = Thread.currentThread().getId();
            RFuture<Long> asked = options.renewed()
                    ? lock.lockAndGetTokenAsync()
                    : lock.lockAndGetTokenAsync(options.lease().toMillis(), TimeUnit.MILLISECONDS);
            CompletableFuture<PeerHold> answer =
                    asked.toCompletableFuture().thenApply(token -> new Hold(lock, options, thread, token));
            answer.whenComplete((hold, thrown) -> {
                if (thrown instanceof CancellationException) {
                    asked.cancel(true);
                }
            });
            return answer;
        }
    }

    private final class Hold implements PeerHold {

        private final RFencedLock lock;
        private final LockOptions options;
        private final long thread;
        private final long token;

        Hold(RFencedLock lock, LockOptions options, long thread, long token) {
            this.lock = lock;
            this.options = options;
            this.thread = thread;
            this.token = token;
        }

        @Override
        public long token() {
            return use == RedissonPeer.Use.GET_TOKEN ? lock.getToken() : token;
        }

        @Override
        public HolderId holder() {
            return RedissonPeerClient.holder(client.getId());
        }

        @Override
        public Duration leaseTime() {
            return options.lease();
        }

        @Override
        public Duration remaining() {
            return Duration.ofMillis(Math.max(0, lock.remainTimeToLive()));
        }

        @Override
        public boolean isHeld() {
            return lock.isHeldByThread(thread);
        }

        @Override
        public boolean renew() {
            if (!options.renewed()) {
                throw new UnsupportedOperationException("a lease time given by the caller cannot be prolonged");
            }
            return isHeld(); // the watchdog renews
        }

        @Override
        public Release release() {
            try {
                lock.unlockAsync(thread).toCompletableFuture().join();
                return Release.RELEASED;
            } catch (CompletionException e) {
                if (e.getCause() instanceof IllegalMonitorStateException) {
                    return Release.NOT_HELD;
                }
                throw e;
            }
        }

        @Override
        public CompletionStage<LossReason> lost() {
            throw new UnsupportedOperationException("it tells nobody of a loss (redisson#4698)");
        }
    }
}
