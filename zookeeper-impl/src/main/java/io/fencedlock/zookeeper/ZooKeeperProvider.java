package io.fencedlock.zookeeper;

import io.fencedlock.BackendConfig;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockProvider;
import io.fencedlock.FencedRegister;
import io.fencedlock.Option;
import java.util.List;
import java.util.Map;

/**
 * Opens {@code zookeeper://host:2181,host:2181/prefix} and, over TLS, {@code zookeepers://}. User and password log in by digest; what is created
 * then belongs to that user alone. Thread-safe.
 */
public final class ZooKeeperProvider implements FencedLockProvider {

    private static final int PORT = 2181;
    private static final int TLS_PORT = 2281;

    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperProvider() {}

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public Map<String, Integer> schemes() {
        return Map.of("zookeeper", PORT, "zookeepers", TLS_PORT);
    }

    @Override
    public List<Option<?>> options() {
        return ZkSettings.OPTIONS;
    }

    @Override
    public FencedLockBackend open(BackendConfig config) {
        return new ZooKeeperBackend(ZkSettings.of(config));
    }

    @Override
    public FencedRegister openRegister(BackendConfig config) {
        return new ZooKeeperRegister(openFence(config));
    }

    @Override
    public ZooKeeperFence openFence(BackendConfig config) {
        ZkSettings settings = ZkSettings.of(config);
        return new ZooKeeperFence(FenceClient.Own.open(settings), settings.paths());
    }
}
