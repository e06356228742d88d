package io.fencedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands between a user's lock and a backend: one client with its pending acquisitions, its leases, and what is still to be undone.
 */
final class LockEngine implements FencedLocks {

    private static final Logger LOG = LoggerFactory.getLogger(LockEngine.class);
    /** How much longer than a lease time an undo is tried: the entry is gone by then. */
    private static final Duration AFTER_LEASE = Duration.ofSeconds(1);

    /** Far above any clock, and far enough below the end of 63 bits for every token that follows. */
    private static final long HIGHEST_FLOOR = 1L << 62;

    /** Enough to keep any store busy, and few enough to be answered in time by a slow one. */
    static final int MOST_ASKING = 512;

    private static final Duration CLOSE_GRACE = Duration.ofMillis(500);

    private final FencedLockBackend backend;
    private final LockOptions options;
    private final Duration commandTimeout;
    private final LockClock clock;
    private final Pulse pulse;
    private final Requests requests;
    private final Turns turns = new Turns(MOST_ASKING);
    private final ThreadPoolExecutor callbacks;
    private final Set<Acquisition> pending = ConcurrentHashMap.newKeySet();
    private final Set<EngineLease> leases = ConcurrentHashMap.newKeySet();
    private final Set<Undo> undos = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private volatile boolean closed;

    LockEngine(FencedLockBackend backend, LockOptions options, Duration commandTimeout, LockClock clock) {
        this.backend = backend;
        this.options = options;
        this.commandTimeout = commandTimeout;
        this.clock = clock;
        pulse = new Pulse(clock);
        requests = new Requests(pulse, clock, commandTimeout);
        callbacks =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "fencedlock-callback");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    FencedLockBackend backend() {
        return backend;
    }

    LockClock clock() {
        return clock;
    }

    Pulse pulse() {
        return pulse;
    }

    Requests requests() {
        return requests;
    }

    Turns turns() {
        return turns;
    }

    boolean isClosed() {
        return closed;
    }

    /** Runs what may lead to a user's code, never on a driver's thread. */
    void callBack(Runnable task) {
        try {
            callbacks.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    LOG.error("a callback failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("a callback came after the client was closed");
        }
    }

    @Override
    public FencedLock get(String name) {
        return new EngineLock(this, new LockName(name), options);
    }

    @Override
    public FencedLock get(String name, LockOptions lockOptions) {
        Duration smallest = backend.profile().smallestLease();
        if (lockOptions.lease().compareTo(smallest) < 0) {
            throw new IllegalArgumentException(
                    "the " + backend.profile().backend() + " backend takes leases of at least " + smallest.toMillis()
                            + " ms, found " + lockOptions.lease().toMillis() + " ms");
        }
        return new EngineLock(this, new LockName(name), lockOptions);
    }

    @Override
    public LockOptions options() {
        return options;
    }

    @Override
    public BackendProfile profile() {
        return backend.profile();
    }

    Acquisition start(LockName name, LockOptions lockOptions, Duration maxWait) {
        Acquisition acquisition = new Acquisition(this, name, lockOptions, maxWait);
        pending.add(acquisition);
        if (closing) {
            ended(acquisition);
            throw closedClient();
        }
        acquisition.ask();
        return acquisition;
    }

    void started(Acquisition acquisition, EngineLease lease) {
        leases.add(lease);
        pending.remove(acquisition);
        lease.start();
        if (closing) {
            lease.releasing();
        }
    }

    void ended(Acquisition acquisition) {
        pending.remove(acquisition);
    }

    void ended(EngineLease lease) {
        pulse.remove(lease);
        leases.remove(lease);
    }

    /** Takes back, in the background, whatever a holder may have on the server. */
    void undo(LockName name, HolderId holder, Duration lease) {
        undo("undoing of an acquire of lock " + name, () -> backend.abandon(name, holder), lease);
    }

    void undo(String what, Supplier<CompletionStage<?>> request, Duration lease) {
        long giveUpAt =
                clock.nanos() + lease.plus(commandTimeout).plus(AFTER_LEASE).toNanos();
        Undo undo = new Undo(this, what, request, giveUpAt);
        undos.add(undo);
        undo.done().thenRun(() -> undos.remove(undo));
        undo.send();
    }

    @Override
    public Optional<HolderInfo> inspect(String name) throws InterruptedException {
        LockName checked = new LockName(name);
        return ask(() -> "inspection of lock " + name, () -> backend.inspect(checked));
    }

    @Override
    public Release forceRelease(String name, long token) throws InterruptedException {
        LockName checked = new LockName(name);
        return ask(() -> "forced release of lock " + name, () -> backend.forceRelease(checked, token));
    }

    @Override
    public void raiseTokens(long floor) throws InterruptedException {
        if (floor <= 0 || floor > HIGHEST_FLOOR) {
            throw new IllegalArgumentException(
                    "tokens are raised to a number from 1 to " + HIGHEST_FLOOR + ", found " + floor);
        }
        ask(() -> "raising of tokens", () -> backend.raiseTokens(floor).thenApply(done -> true));
    }

    private <T> T ask(Supplier<String> what, Supplier<CompletionStage<T>> request) throws InterruptedException {
        if (closing) {
            throw closedClient();
        }
        return Requests.await(requests.send(what, request));
    }

    private static IllegalStateException closedClient() {
        return new IllegalStateException("the client is closed");
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        pending.forEach(acquisition -> acquisition.settle(closedClient()));
        Stream<CompletableFuture<?>> ends = Stream.concat(
                leases.stream().map(EngineLease::releasing), undos.stream().map(Undo::done));
        awaitAll(ends.toArray(CompletableFuture<?>[]::new));
        closed = true;
        try {
            backend.close();
        } catch (RuntimeException e) {
            LOG.warn("closing the backend failed", e);
        }
        callbacks.shutdown();
        if (clock instanceof SystemClock system) {
            system.close();
        }
    }

    private void awaitAll(CompletableFuture<?>[] ends) {
        boolean interrupted = Thread.interrupted();
        try {
            CompletableFuture.allOf(ends).get(commandTimeout.plus(CLOSE_GRACE).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("closed before the backend confirmed every release; what is left there ends by its lease time");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
