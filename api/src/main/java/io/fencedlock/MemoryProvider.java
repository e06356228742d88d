package io.fencedlock;

import java.util.List;
import java.util.Map;

/** Opens {@code memory:}, a new empty {@link MemoryStore} of its own for each client. */
public final class MemoryProvider implements FencedLockProvider {

    /** For {@link java.util.ServiceLoader}. */
    public MemoryProvider() {}

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Map<String, Integer> schemes() {
        return Map.of("memory", 0);
    }

    @Override
    public List<Option<?>> options() {
        return List.of();
    }

    @Override
    public FencedLockBackend open(BackendConfig config) {
        return new MemoryStore(config.clock()).backend();
    }

    @Override
    public FencedRegister openRegister(BackendConfig config) {
        return new MemoryRegister();
    }

    @Override
    public Fence openFence(BackendConfig config) {
        return new MemoryFence();
    }
}
