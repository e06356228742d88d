package io.fencedlock.etcd;

import io.fencedlock.BackendConfig;
import io.fencedlock.SharedOptions;

/** A client with its channels, for a backend or a register of its own. */
final class EtcdConnection {

    private final EtcdChannels channels;
    private final EtcdClient client;
    private volatile Runnable moved = () -> {};

    EtcdConnection(BackendConfig config, EtcdSettings settings) {
        channels = new EtcdChannels(
                config.endpoints(),
                settings.tls(),
                config.find(EtcdProvider.AUTHORITY),
                config.commandTimeout(),
                config.clock(),
                () -> moved.run());
        EtcdLogin login = new EtcdLogin(config.find(SharedOptions.USER), config.find(SharedOptions.PASSWORD));
        client = new EtcdClient(channels, login, config.clock(), config.commandTimeout());
    }

    EtcdChannels channels() {
        return channels;
    }

    EtcdClient client() {
        return client;
    }

    /** What to do when another channel has taken the place of the one before. */
    void whenMoved(Runnable action) {
        moved = action;
    }
}
