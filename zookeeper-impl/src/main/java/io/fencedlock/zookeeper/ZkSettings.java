package io.fencedlock.zookeeper;

import io.fencedlock.BackendConfig;
import io.fencedlock.LockClock;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.Option;
import io.fencedlock.Secret;
import io.fencedlock.SharedOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
    static final Option<String> TRUST_STORE =
            Option.text("trust-store", null, "TLS: file with the trusted certificates.");
    static final Option<Secret> TRUST_STORE_PASSWORD =
            Option.secret("trust-store-password", "TLS: password of the trust store.");
    static final Option<String> KEY_STORE = Option.text("key-store", null, "TLS: file with the client's certificate.");
    static final Option<Secret> KEY_STORE_PASSWORD =
            Option.secret("key-store-password", "TLS: password of the key store.");

    static final List<Option<?>> OPTIONS =
            List.of(TOKENS, STRICT_SESSION, TRUST_STORE, TRUST_STORE_PASSWORD, KEY_STORE, KEY_STORE_PASSWORD);

    private static final String TLS_SCHEME = "zookeepers";
    private static final String DEFAULT_PREFIX = "fencedlock";

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

    private static String prefix(String path) {
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
        if (config.scheme().equals(TLS_SCHEME)) {
            driver.setProperty("zookeeper.client.secure", "true");
            driver.setProperty("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
            store(config, driver, TRUST_STORE, TRUST_STORE_PASSWORD, "zookeeper.ssl.trustStore");
            store(config, driver, KEY_STORE, KEY_STORE_PASSWORD, "zookeeper.ssl.keyStore");
        } else {
            List.of(TRUST_STORE, KEY_STORE)
                    .forEach(option -> config.find(option).ifPresent(file -> {
                        throw new LockConfigurationException(
                                "option " + option.name() + " is for TLS, which the URL asks for by " + TLS_SCHEME
                                        + "://, found " + config.scheme() + "://",
                                null);
                    }));
        }
        return driver;
    }

    private static void store(
            BackendConfig config,
            ZKClientConfig driver,
            Option<String> file,
            Option<Secret> password,
            String property) {
        config.find(file).ifPresent(path -> {
            if (!Files.isReadable(Path.of(path))) {
                throw new LockConfigurationException(
                        "option " + file.name() + " names a file to read, found \"" + path + "\", which cannot be read",
                        null);
            }
            driver.setProperty(property + ".location", path);
        });
        config.find(password).ifPresent(secret -> driver.setProperty(property + ".password", secret.value()));
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
