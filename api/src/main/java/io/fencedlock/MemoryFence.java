package io.fencedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Fences in this process's memory: for tests, and for resources that only this process writes. Thread-safe; work in the fence excludes
 * all other use of the same object.
 */
public final class MemoryFence implements Fence {

    private final Map<String, MarkInfo> marks = new HashMap<>();

    /** Makes one without marks. */
    public MemoryFence() {}

    /**
     * Does work under the fence of a resource; see {@link #inFence(String, FenceMark, Supplier)}.
     *
     * @param <T> what the work answers
     * @param resource what is to be written
     * @param lease the writer's
     * @param work what to do
     * @return the work's answer
     * @throws StaleTokenException if a newer token was accepted before; the work was not done
     */
    public <T> T inFence(String resource, Lease lease, Supplier<T> work) {
        return inFence(resource, lease.mark(), work);
    }

    /**
     * Checks the token, raises the mark and does the work, as one step for all who use this object.
     *
     * @param <T> what the work answers
     * @param resource what is to be written
     * @param mark the writer's, from {@link Lease#mark()}
     * @param work what to do; when it throws, the mark stays raised
     * @return the work's answer
     * @throws StaleTokenException if a newer token was accepted before; the work was not done
     */
    public synchronized <T> T inFence(String resource, FenceMark mark, Supplier<T> work) {
        advance(resource, mark);
        return work.get();
    }

    @Override
    public synchronized void advance(String resource, FenceMark mark) {
        mark(resource).filter(accepted -> !accepted.admits(mark)).ifPresent(accepted -> {
            throw new StaleTokenException(resource, mark.token(), accepted.token());
        });
        put(resource, mark);
    }

    @Override
    public synchronized FenceMark raise(String resource, long token) {
        FenceMark raised = new FenceMark(token, null);
        Optional<FenceMark> higher = mark(resource).filter(accepted -> accepted.token() > token);
        if (higher.isEmpty()) {
            put(resource, raised);
        }
        return higher.orElse(raised);
    }

    private void put(String resource, FenceMark mark) {
        marks.put(resource, new MarkInfo(resource, mark, Instant.now()));
    }

    @Override
    public synchronized Optional<FenceMark> mark(String resource) {
        return Optional.ofNullable(marks.get(new LockName(resource).value())).map(MarkInfo::mark);
    }

    @Override
    public void forEachMark(Consumer<MarkInfo> action) {
        snapshot().forEach(action);
    }

    private synchronized List<MarkInfo> snapshot() {
        return List.copyOf(marks.values());
    }

    @Override
    public synchronized long expire(Duration unusedFor) {
        if (unusedFor.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a mark lives at least 1 s after its last use, found " + unusedFor);
        }
        long before = marks.size();
        Instant now = Instant.now();
        marks.values().removeIf(info -> Duration.between(info.usedAt(), now).compareTo(unusedFor) >= 0);
        return before - marks.size();
    }

    @Override
    public synchronized boolean remove(String resource) {
        return marks.remove(new LockName(resource).value()) != null;
    }

    @Override
    public void close() {}
}
