package io.fencedlock.zookeeper;

import io.fencedlock.BackendConfig;
import io.fencedlock.LockClock;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.Option;
import io.fencedlock.Secret;
import io.fencedlock.SharedOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** The configuration, checked and in ZooKeeper's words. */
record ZkSettings(
        String connect,
        ZkPaths paths,
        Duration session,
        boolean strictSession,
        Duration commandTimeout,
        TokenSource tokens,
        Optional<String> digest,
        ZKClientConfig driver,
        LockClock clock) {

    static final Duration SMALLEST_SESSION = Duration.ofSeconds(1);

    static final Option<TokenSource> TOKENS = Option.choice(
            "tokens", TokenSource.class, "clock", "Token source; zxid and sequence are weaker, as in the textbook.");
    static final Option<Boolean> STRICT_SESSION =
            Option.flag("strict-session", "false", "Refuse to work on a session whose time the server has changed.");
    static final List<Option<?>> OPTIONS = List.of(TOKENS, STRICT_SESSION, ZkTls.CA, ZkTls.CERT, ZkTls.KEY);

    static final String DEFAULT_PREFIX = "fencedlock";

    static ZkSettings of(BackendConfig config) {
        Duration session = config.get(SharedOptions.LEASE);
        if (session.compareTo(SMALLEST_SESSION) < 0) {
            throw new LockConfigurationException(
                    "option lease is ZooKeeper's session time and takes at least " + SMALLEST_SESSION.toMillis()
                            + " ms, found " + session.toMillis() + " ms",
                    null);
        }
        return new ZkSettings(
                config.endpoints().stream().map(Object::toString).collect(Collectors.joining(",")),
                new ZkPaths(prefix(config.path())),
                session,
                config.get(STRICT_SESSION),
                config.commandTimeout(),
                config.get(TOKENS),
                digest(config),
                driver(config),
                config.clock());
    }

    static String prefix(String path) {
        String prefix = path.isEmpty() ? DEFAULT_PREFIX : path.replaceAll("/+$", "");
        try {
            PathUtils.validatePath("/" + prefix);
        } catch (IllegalArgumentException e) {
            throw badPath(path, e);
        }
        if (prefix.isEmpty() || prefix.equals("zookeeper") || prefix.startsWith("zookeeper/")) {
            throw badPath(path, null);
        }
        return prefix;
    }

    private static LockConfigurationException badPath(String path, @Nullable Throwable cause) {
        return new LockConfigurationException(
                "the path of a zookeeper URL is a znode to stand under, such as /fencedlock, and not /zookeeper, found \"/"
                        + path + "\"",
                cause);
    }

    private static Optional<String> digest(BackendConfig config) {
        Optional<String> user = config.find(SharedOptions.USER);
        Optional<Secret> password = config.find(SharedOptions.PASSWORD);
        if (user.isPresent() != password.isPresent()) {
            throw new LockConfigurationException("digest authentication takes user and password, found only one", null);
        }
        if (user.isPresent() && user.get().contains(":")) {
            throw new LockConfigurationException(
                    "the user of a digest authentication has no colon, found \"" + user.get() + "\"", null);
        }
        return user.map(name -> name + ":" + password.orElseThrow().value());
    }

    private static ZKClientConfig driver(BackendConfig config) {
        ZKClientConfig driver = new ZKClientConfig();
        if (driver.getProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY) == null && !hasLogin(driver)) {
            driver.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        }
        ZkTls.apply(config, driver);
        return driver;
    }

    /** Without a login for it in the JAAS configuration the driver would still try SASL, and ask for the name of each server's address before. */
    private static boolean hasLogin(ZKClientConfig driver) {
        String section = driver.getProperty(
                ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, ZKClientConfig.LOGIN_CONTEXT_NAME_KEY_DEFAULT);
        try {
            return Configuration.getConfiguration().getAppConfigurationEntry(section) != null;
        } catch (SecurityException e) {
            return false;
        }
    }

    /** For requests that others may overtake. */
    Retry retry() {
        return Retry.within(clock, commandTimeout);
    }

    /** The same with another clock. */
    ZkSettings on(LockClock other) {
        return new ZkSettings(connect, paths, session, strictSession, commandTimeout, tokens, digest, driver, other);
    }

    /** Who logs in keeps what it creates to itself; who does not leaves it open to all. */
    List<ACL> acl() {
        return digest.isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "zookeeper " + connect;
    }
}
