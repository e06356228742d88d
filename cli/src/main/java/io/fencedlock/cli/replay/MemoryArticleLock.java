package io.fencedlock.cli.replay;

import io.fencedlock.LockClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A map, shared by the workers. Thread-safe. */
final class MemoryArticleLock implements ArticleLock {
    private final LockClock clock;
    private final Map<String, Entry> entries = new HashMap<>();

    MemoryArticleLock(LockClock clock) {
        this.clock = clock;
    }

    private record Entry(String owner, long end) {}

    @Override
    public synchronized boolean take(String name, String owner, Duration lease) {
        if (find(name).isPresent()) {
            return false;
        }
        entries.put(name, new Entry(owner, clock.nanos() + lease.toNanos()));
        return true;
    }

    @Override
    public synchronized Optional<String> delete(String name) {
        Optional<Entry> found = find(name);
        entries.remove(name);
        return found.map(Entry::owner);
    }

    private Optional<Entry> find(String name) {
        return Optional.ofNullable(entries.get(name)).filter(entry -> clock.nanos() - entry.end() < 0);
    }

    @Override
    public void close() {}
}
