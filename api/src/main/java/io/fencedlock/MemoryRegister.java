package io.fencedlock;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values with a fence in this process's memory: for tests, and the shortest statement of what a fence does. Thread-safe; never blocks.
 */
public final class MemoryRegister implements FencedRegister {

    private final Map<LockName, Cell> cells = new HashMap<>();

    /** Makes an empty register. */
    public MemoryRegister() {}

    private record Cell(@Nullable String value, @Nullable FenceMark mark) {}

    private static final Cell EMPTY = new Cell(null, null);

    @Override
    public synchronized void write(String resource, FenceMark mark, String value) {
        LockName key = new LockName(resource);
        admit(key, mark);
        cells.put(key, new Cell(value, mark));
    }

    @Override
    public synchronized void writeUnfenced(String resource, String value) {
        LockName key = new LockName(resource);
        cells.put(key, new Cell(value, cell(key).mark()));
    }

    @Override
    public synchronized Optional<String> read(String resource) {
        return Optional.ofNullable(cell(new LockName(resource)).value());
    }

    @Override
    public synchronized void advance(String resource, FenceMark mark) {
        LockName key = new LockName(resource);
        admit(key, mark);
        cells.put(key, new Cell(cell(key).value(), mark));
    }

    @Override
    public synchronized Optional<FenceMark> mark(String resource) {
        return Optional.ofNullable(cell(new LockName(resource)).mark());
    }

    @Override
    public synchronized void remove(String resource) {
        cells.remove(new LockName(resource));
    }

    private Cell cell(LockName key) {
        return cells.getOrDefault(key, EMPTY);
    }

    private void admit(LockName key, FenceMark shown) {
        FenceMark mark = cell(key).mark();
        if (mark != null && !mark.admits(shown)) {
            throw new StaleTokenException(key.value(), shown.token(), mark.token());
        }
    }

    @Override
    public void close() {}
}
