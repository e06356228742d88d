package io.fencedlock.redis;

import io.fencedlock.BackendConfig;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockProvider;
import io.fencedlock.FencedRegister;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.Option;
import io.fencedlock.Secret;
import java.util.List;
import java.util.Map;

/**
 * Opens locks on Redis 6 or newer, or Valkey: one server ({@code redis://host:6379/database}), a primary found through Sentinel
 * ({@code redis-sentinel://host:26379,host:26379/primary}), a Cluster ({@code redis-cluster://host:6379,host:6379}), or a majority of
 * independent nodes ({@code redlock://host1:6379,host2:6379,host3:6379}, listed in the same order by all clients); with TLS {@code rediss},
 * {@code rediss-sentinel}, {@code rediss-cluster}, {@code redlocks}.
 *
 * <p>Every key and channel stands under the option {@code prefix}. A user needs no more rights than this line gives (shown for
 * the default prefix; without {@code resetchannels &fencedlock:*} waiters ask once a second instead of being told):
 *
 * <pre>{@code
 * ACL SETUSER locks on >password resetkeys ~fencedlock:* resetchannels &fencedlock:* -@all +eval +evalsha +get +set +mget +incr
 *     +del +exists +pexpire +pttl +time +zadd +zrem +zrange +zscore +zcount +publish +subscribe +unsubscribe +ping
 * }</pre>
 *
 * With another database than 0 add {@code +select}; with {@code wait-replicas} add {@code +wait}; to list and expire the marks of a fence add {@code +scan}; for a Cluster add
 * {@code +cluster|nodes +cluster|myid +info}; for a Redlock add {@code +hmget +hset}.
 *
 * <p>Thread-safe; {@link #open} does not block on the network.
 */
public final class RedisProvider implements FencedLockProvider {

    static final String DEFAULT_PREFIX = "fencedlock:";
    static final Option<String> PREFIX =
            Option.text("prefix", DEFAULT_PREFIX, "What all keys and channels begin with.");
    static final Option<TokenSource> TOKENS = Option.choice(
            "tokens",
            TokenSource.class,
            "clock",
            "Where tokens come from: clock survives the loss of the counter, counter counts 1, 2, 3.");
    static final Option<Integer> DATABASE = Option.number(
            "database", 0, 65535, null, "Database number; for redis and rediss the URL's path says it as well.");
    static final Option<Integer> WAIT_REPLICAS = Option.number(
            "wait-replicas",
            0,
            100,
            "0",
            "How many replicas have to confirm each grant and renewal, or it fails; not on a Cluster.");
    static final Option<String> SENTINEL_USER = Option.text("sentinel-user", null, "User to log in to Sentinels as.");
    static final Option<Secret> SENTINEL_PASSWORD =
            Option.secret("sentinel-password", "Password to log in to Sentinels with; never printed.");
    static final Option<TlsSettings.Verify> TLS_VERIFY = Option.choice(
            "tls-verify",
            TlsSettings.Verify.class,
            "full",
            "What is checked of the server's certificate: full, ca (not the host name), none.");
    static final Option<String> TLS_CA =
            Option.text("tls-ca", null, "PEM file of the certificates to trust; default: those of the JVM.");
    static final Option<String> TLS_CERT =
            Option.text("tls-cert", null, "PEM file of the certificate to show to the server, with tls-key.");
    static final Option<String> TLS_KEY =
            Option.text("tls-key", null, "PEM file of the unencrypted PKCS#8 key of tls-cert.");

    /** For {@link java.util.ServiceLoader}. */
    public RedisProvider() {}

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Map<String, Integer> schemes() {
        return Topology.schemes();
    }

    @Override
    public List<Option<?>> options() {
        return List.of(
                PREFIX,
                TOKENS,
                DATABASE,
                WAIT_REPLICAS,
                SENTINEL_USER,
                SENTINEL_PASSWORD,
                TLS_VERIFY,
                TLS_CA,
                TLS_CERT,
                TLS_KEY);
    }

    /**
     * {@inheritDoc}
     *
     * @throws LockConfigurationException if the configuration is wrong
     */
    @Override
    public FencedLockBackend open(BackendConfig config) {
        RedisSettings settings = RedisSettings.of(config);
        return settings.topology() == Topology.REDLOCK
                ? new RedlockBackend(settings, config.clock())
                : new RedisBackend(settings, Driver.open(settings), config.clock());
    }

    /**
     * {@inheritDoc}
     *
     * @throws LockConfigurationException if the configuration is wrong
     */
    @Override
    public FencedRegister openRegister(BackendConfig config) {
        RedisSettings settings = ofOneStore(config);
        return new RedisRegister(new OwnConnection(settings, config), settings.prefix());
    }

    /**
     * {@inheritDoc}
     *
     * @throws LockConfigurationException if the configuration is wrong
     */
    @Override
    public RedisFence openFence(BackendConfig config) {
        RedisSettings settings = ofOneStore(config);
        return new RedisFence(new OwnConnection(settings, config), settings.prefix());
    }

    /** Mark and effect change in one step, and there is none over several nodes. */
    private static RedisSettings ofOneStore(BackendConfig config) {
        RedisSettings settings = RedisSettings.of(config);
        if (settings.topology() == Topology.REDLOCK) {
            throw new LockConfigurationException(
                    "a fence or a value needs one store, which independent nodes are not: found " + config.scheme()
                            + "; take the store that holds the data, for example redis, or a database",
                    null);
        }
        return settings;
    }
}
