package io.fencedlock;

import java.util.List;
import java.util.Map;

/**
 * Opens backends by the scheme of a URL. Found by {@link java.util.ServiceLoader}; an implementation is public, has a public
 * constructor without arguments, and is listed in {@code META-INF/services/io.fencedlock.FencedLockProvider}.
 */
public interface FencedLockProvider {

    /**
     * The backend's name, as in reports: {@code redis}.
     *
     * @return lower case
     */
    String name();

    /**
     * The URL schemes that it opens, each with the port taken when a URL names none ({@code 0}: the scheme has no hosts).
     *
     * @return scheme to default port
     */
    Map<String, Integer> schemes();

    /**
     * The options that it takes beside those that all backends share.
     *
     * @return the options
     */
    List<Option<?>> options();

    /**
     * Opens a backend. Does not block on the network: the backend connects in the background.
     *
     * @param config checked configuration
     * @return the backend, closed by whoever asked for it
     * @throws LockConfigurationException if the configuration is wrong
     */
    FencedLockBackend open(BackendConfig config);

    /**
     * Opens the store as a resource of its own: values guarded by a fence, for {@link FencedRegister#connect}.
     *
     * @param config checked configuration
     * @return the register
     * @throws LockConfigurationException if the configuration is wrong or the store has none
     */
    FencedRegister openRegister(BackendConfig config);

    /**
     * Opens the store's fences, for {@link Fence#connect}.
     *
     * @param config checked configuration
     * @return the fence
     * @throws LockConfigurationException if the configuration is wrong or the store has none, as here
     */
    default Fence openFence(BackendConfig config) {
        throw new LockConfigurationException("the backend " + name() + " has no fence of its own", null);
    }
}
