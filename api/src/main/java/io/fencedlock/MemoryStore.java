package io.fencedlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process's memory: the reference that keeps the whole contract, and the one for users' own tests. Any number of clients
 * may {@link #connect} to one store; with a {@link ManualClock} a test decides what time it is.
 *
 * <p>It protects threads of one process from each other and nothing more. Tokens begin at the wall clock's microseconds of the store's birth, so that a
 * change to or from another backend keeps their order. Thread-safe; nothing is kept per name after its last use.
 */
public final class MemoryStore {

    /** When a waiter asks again though nothing was heard; one that has not asked for twice as long has died. */
    static final Duration RECHECK = Duration.ofSeconds(1);

    /** How long a request may come late and still find that it was abandoned. */
    private static final Duration TOMBSTONE = Duration.ofSeconds(60);

    private final LockClock clock;
    private final Map<LockName, Entry> entries = new HashMap<>();
    private final Map<LockName, Map<HolderId, Waiter>> queues = new HashMap<>();
    private final Map<HolderId, Long> abandoned = new LinkedHashMap<>();
    private long lastToken;

    /** Makes a store on the real clock. */
    public MemoryStore() {
        this(LockClock.system());
    }

    /**
     * Makes a store.
     *
     * @param clock the clock that its leases, and those of its clients, are reckoned by
     */
    public MemoryStore(LockClock clock) {
        this(clock, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
    }

    /**
     * Makes a store whose tokens start at a number.
     *
     * @param clock the clock that its leases, and those of its clients, are reckoned by
     * @param lastToken the first token is larger by one
     */
    public MemoryStore(LockClock clock, long lastToken) {
        this.clock = clock;
        this.lastToken = lastToken;
    }

    private record Entry(Grant grant, long since, long end) {}

    private record Waiter(CompletableFuture<Void> changed, long aliveUntil) {}

    /**
     * Opens a client of this store.
     *
     * @return a client with default options; closing it leaves the store as it is
     */
    public FencedLocks connect() {
        return FencedLocks.configure().connect(backend(), clock);
    }

    /**
     * Opens a backend of this store, for {@link FencedLocksBuilder#connect(FencedLockBackend, LockClock)}.
     *
     * @return the backend
     */
    public FencedLockBackend backend() {
        return new MemoryBackend(this);
    }

    /**
     * The clock.
     *
     * @return as given
     */
    public LockClock clock() {
        return clock;
    }

    /**
     * Ends the lease of whoever holds a lock, now, as if its time had passed on the server. Its holder learns of it at its next renewal.
     *
     * @param name the lock
     * @return whether it was held
     */
    public boolean expireNow(String name) {
        LockName key = new LockName(name);
        Entry removed;
        synchronized (this) {
            removed = entries.remove(key);
        }
        wakeFirst(key);
        return removed != null;
    }

    /**
     * How many entries the store keeps at present: held locks, and locks that are waited for.
     *
     * @return 0 when nobody uses it
     */
    public synchronized int size() {
        long now = clock.nanos();
        long held =
                entries.values().stream().filter(entry -> now - entry.end() < 0).count();
        return Math.toIntExact(held) + queues.size();
    }

    Attempt acquire(AcquireRequest request) {
        synchronized (this) {
            long now = clock.nanos();
            forgetOldTombstones(now);
            LockName name = request.name();
            Entry entry = live(name, now);
            if (entry != null && entry.grant().holder().equals(request.holder())) {
                return granted(entry.grant(), now);
            }
            boolean refused = abandoned.containsKey(request.holder());
            if (entry == null && !refused && isFirst(name, request.holder(), now)) {
                leaveQueue(name, request.holder());
                long token = Math.incrementExact(lastToken);
                lastToken = token;
                return granted(new Grant(name, request.holder(), token, request.lease(), BackendRef.NONE), now);
            }
            CompletableFuture<Void> changed = new CompletableFuture<>();
            if (request.waits() && !refused) {
                queues.computeIfAbsent(name, n -> new LinkedHashMap<>())
                        .put(request.holder(), new Waiter(changed, now + 2 * RECHECK.toNanos()));
            }
            long remaining = entry == null ? RECHECK.toNanos() : entry.end() - now;
            return new Attempt.Held(Duration.ofNanos(Math.min(RECHECK.toNanos(), remaining)), changed);
        }
    }

    /** The entry starts its time anew: a repeated acquire is a renewal, too. */
    private Attempt granted(Grant grant, long now) {
        long since =
                entries.containsKey(grant.name()) ? entries.get(grant.name()).since() : now;
        entries.put(
                grant.name(), new Entry(grant, since, now + grant.leaseTime().toNanos()));
        return new Attempt.Granted(grant, new Liveness.Timed(grant.leaseTime()));
    }

    private @Nullable Entry live(LockName name, long now) {
        Entry entry = entries.get(name);
        if (entry != null && now - entry.end() >= 0) {
            entries.remove(name);
            return null;
        }
        return entry;
    }

    /** Whether nobody who is still alive stands before a holder. */
    private boolean isFirst(LockName name, HolderId holder, long now) {
        Map<HolderId, Waiter> queue = queues.get(name);
        if (queue == null) {
            return true;
        }
        queue.entrySet()
                .removeIf(waiter -> !waiter.getKey().equals(holder)
                        && now - waiter.getValue().aliveUntil() > 0);
        return queue.isEmpty() || queue.keySet().iterator().next().equals(holder);
    }

    private void leaveQueue(LockName name, HolderId holder) {
        Map<HolderId, Waiter> queue = queues.get(name);
        if (queue != null) {
            queue.remove(holder);
            if (queue.isEmpty()) {
                queues.remove(name);
            }
        }
    }

    private void forgetOldTombstones(long now) {
        var oldest = abandoned.entrySet().iterator();
        while (oldest.hasNext() && now - oldest.next().getValue() > 0) {
            oldest.remove();
        }
    }

    synchronized Renewal renew(Grant grant) {
        long now = clock.nanos();
        Entry entry = live(grant.name(), now);
        if (entry == null || !entry.grant().holder().equals(grant.holder())) {
            return new Renewal.NotHeld();
        }
        granted(entry.grant(), now);
        return new Renewal.Renewed(grant.leaseTime());
    }

    Release release(LockName name, HolderId holder) {
        synchronized (this) {
            Entry entry = live(name, clock.nanos());
            if (entry == null || !entry.grant().holder().equals(holder)) {
                return Release.NOT_HELD;
            }
            entries.remove(name);
        }
        wakeFirst(name);
        return Release.RELEASED;
    }

    Release forceRelease(LockName name, long token) {
        HolderId holder;
        synchronized (this) {
            Entry entry = live(name, clock.nanos());
            if (entry == null || entry.grant().token() != token) {
                return Release.NOT_HELD;
            }
            holder = entry.grant().holder();
        }
        return release(name, holder);
    }

    void abandon(LockName name, HolderId holder) {
        synchronized (this) {
            abandoned.put(holder, clock.nanos() + TOMBSTONE.toNanos());
            leaveQueue(name, holder);
        }
        release(name, holder);
        wakeFirst(name);
    }

    /** Wakes the first waiter, outside of the lock: its engine asks at once. */
    private void wakeFirst(LockName name) {
        List<CompletableFuture<Void>> woken = new ArrayList<>();
        synchronized (this) {
            Map<HolderId, Waiter> queue = queues.get(name);
            if (queue != null && !entries.containsKey(name) && isFirst(name, NOBODY, clock.nanos())) {
                queues.remove(name);
            } else if (queue != null && !entries.containsKey(name)) {
                woken.add(queue.values().iterator().next().changed());
            }
        }
        woken.forEach(changed -> changed.complete(null));
    }

    private static final HolderId NOBODY = new HolderId("0".repeat(32));

    synchronized Optional<HolderInfo> inspect(LockName name) {
        long now = clock.nanos();
        Entry entry = live(name, now);
        if (entry == null) {
            return Optional.empty();
        }
        int waiters = queues.getOrDefault(name, Map.of()).size();
        return Optional.of(new HolderInfo(
                entry.grant().holder(),
                entry.grant().token(),
                Optional.empty(),
                Optional.of(Duration.ofNanos(entry.end() - now)),
                Optional.empty(),
                OptionalLong.of(ProcessHandle.current().pid()),
                OptionalInt.of(waiters)));
    }

    synchronized void raiseTokens(long floor) {
        lastToken = Math.max(lastToken, floor);
    }
}
