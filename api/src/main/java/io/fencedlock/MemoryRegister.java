package io.fencedlock;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Values with a fence in this process's memory: for tests, and the shortest statement of what a fence does. Thread-safe; never blocks.
 */
public final class MemoryRegister implements FencedRegister {

    private final MemoryFence fence = new MemoryFence();
    private final Map<LockName, String> values = new HashMap<>();

    /** Makes an empty register. */
    public MemoryRegister() {}

    @Override
    public synchronized void write(String resource, FenceMark mark, String value) {
        fence.advance(resource, mark);
        values.put(new LockName(resource), value);
    }

    @Override
    public synchronized void writeUnfenced(String resource, String value) {
        values.put(new LockName(resource), value);
    }

    @Override
    public synchronized Optional<String> read(String resource) {
        return Optional.ofNullable(values.get(new LockName(resource)));
    }

    @Override
    public synchronized void advance(String resource, FenceMark mark) {
        fence.advance(resource, mark);
    }

    @Override
    public synchronized Optional<FenceMark> mark(String resource) {
        return fence.mark(resource);
    }

    @Override
    public synchronized void remove(String resource) {
        fence.remove(resource);
        values.remove(new LockName(resource));
    }

    @Override
    public void close() {}
}
