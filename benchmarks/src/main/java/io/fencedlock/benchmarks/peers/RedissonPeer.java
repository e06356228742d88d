package io.fencedlock.benchmarks.peers;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.TokenSurvival;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/** Redisson's RFencedLock on one Redis server. */
final class RedissonPeer implements Peer {

    /** Which of its calls are used. */
    enum Use {
        /** The number that the acquiring call answered is kept; a try says that it waits zero. */
        CAREFUL,
        /** {@code getToken()}, asked when the token is needed. */
        GET_TOKEN,
        /** {@code tryLockAndGetToken()} for a try. */
        SHORT_TRY
    }

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Use use;

    RedissonPeer(Use use) {
        this.use = use;
    }

    @Override
    public Store store() {
        return Store.REDIS;
    }

    @Override
    public String versions() {
        return Versions.of(Redisson.class, "org.redisson", "redisson");
    }

    @Override
    public BackendProfile profile() {
        return BackendProfile.of("redisson", "INCR of a key for each lock name")
                .lease(Duration.ofMillis(200), Duration.ofMillis(1))
                .liveness(LeaseScope.PER_LOCK, Duration.ofMillis(200))
                .waiting(QueueOrder.NONE, Duration.ofSeconds(1))
                .tokensSurvive(EnumSet.allOf(TokenSurvival.class))
                .build();
    }

    /** The watchdog keeps locks for the lease time; a command with its one repetition takes no longer than the suite lets it. */
    @Override
    public PeerClient open(InetSocketAddress server, Duration lease, boolean reachable) {
        int command = (int) Math.min(1_000, lease.toMillis() / 3);
        Config config = new Config();
        config.setLockWatchdogTimeout(lease.toMillis());
        config.setLazyInitialization(!reachable);
        config.useSingleServer()
                .setAddress(url(server))
                .setTimeout(command / 2)
                .setConnectTimeout(command)
                .setRetryAttempts(1)
                .setRetryDelay(new ConstantDelay(PAUSE))
                .setConnectionMinimumIdleSize(2)
                .setSubscriptionConnectionMinimumIdleSize(1);
        return new RedissonPeerClient(Redisson.create(config), lease, use);
    }

    private static String url(InetSocketAddress server) {
        return "redis://127.0.0.1:" + server.getPort();
    }

    private static RedissonClient admin(Server server) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(url(server.address()))
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1);
        return Redisson.create(config);
    }

    @Override
    public long entries(Server server) {
        RedissonClient client = admin(server);
        try {
            return client.getKeys()
                    .getKeysStream()
                    .filter(key -> key.contains("suite-"))
                    .count();
        } finally {
            client.shutdown();
        }
    }

    @Override
    public void loseCounter(Server server) {
        RedissonClient client = admin(server);
        try {
            client.getKeys().deleteByPattern("redisson_lock_token:*");
        } finally {
            client.shutdown();
        }
    }
}
