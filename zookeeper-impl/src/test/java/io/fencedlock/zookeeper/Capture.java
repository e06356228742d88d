package io.fencedlock.zookeeper;

import io.fencedlock.BackendConfig;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockProvider;
import io.fencedlock.FencedRegister;
import io.fencedlock.MemoryRegister;
import io.fencedlock.MemoryStore;
import io.fencedlock.Option;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Shows a test the configuration that a provider would be opened with. */
record Capture(Consumer<BackendConfig> seen) implements FencedLockProvider {

    @Override
    public String name() {
        return "capture";
    }

    @Override
    public Map<String, Integer> schemes() {
        return new ZooKeeperProvider().schemes();
    }

    @Override
    public List<Option<?>> options() {
        return new ZooKeeperProvider().options();
    }

    @Override
    public FencedLockBackend open(BackendConfig config) {
        seen.accept(config);
        return new MemoryStore(config.clock()).backend();
    }

    @Override
    public FencedRegister openRegister(BackendConfig config) {
        return new MemoryRegister();
    }
}
