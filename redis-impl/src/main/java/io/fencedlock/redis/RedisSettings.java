package io.fencedlock.redis;

import io.fencedlock.BackendConfig;
import io.fencedlock.Endpoint;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.Secret;
import io.fencedlock.SharedOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The checked configuration of one Redis client. Immutable. */
record RedisSettings(
        Topology topology,
        List<Endpoint> endpoints,
        String master,
        int database,
        Credentials server,
        Credentials sentinel,
        Optional<TlsSettings> tls,
        String prefix,
        TokenSource tokens,
        int waitReplicas,
        Duration commandTimeout) {

    private static final int FEWEST_NODES = 3;
    /** Two phases and what follows a refusal have to fit into the time of one command. */
    private static final int NODE_SHARE = 3;

    /** A login. Prints no password. */
    record Credentials(Optional<String> user, Optional<Secret> password) {

        private Credentials check(String userOption, String passwordOption) {
            if (user.isPresent() && password.isEmpty()) {
                throw wrong("option " + userOption + " needs option " + passwordOption + ", found only " + userOption);
            }
            return this;
        }
    }

    /**
     * Reads and checks.
     *
     * @throws LockConfigurationException if something is wrong; the message names it
     */
    static RedisSettings of(BackendConfig config) {
        Topology topology = Topology.of(config.scheme());
        if (topology == Topology.STANDALONE && config.endpoints().size() > 1) {
            throw wrong("a " + config.scheme() + " URL names one host:port, found "
                    + config.endpoints().size() + "; several hosts take redis-sentinel, redis-cluster or redlock");
        }
        if (topology == Topology.REDLOCK) {
            checkIndependent(config);
        }
        Credentials server = new Credentials(config.find(SharedOptions.USER), config.find(SharedOptions.PASSWORD));
        Credentials sentinel =
                new Credentials(config.find(RedisProvider.SENTINEL_USER), config.find(RedisProvider.SENTINEL_PASSWORD));
        return new RedisSettings(
                topology,
                config.endpoints(),
                master(config, topology),
                database(config, topology),
                server.check("user", "password"),
                sentinel.check("sentinel-user", "sentinel-password"),
                TlsSettings.of(config, topology.isTls(config.scheme())),
                prefix(config.get(RedisProvider.PREFIX)),
                config.get(RedisProvider.TOKENS),
                waitReplicas(config, topology),
                config.commandTimeout());
    }

    /** The servers as people know them, for messages. */
    String target() {
        String hosts = endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(","));
        return switch (topology) {
            case STANDALONE -> "Redis at " + hosts;
            case SENTINEL -> "Redis primary " + master + " of the Sentinels at " + hosts;
            case CLUSTER -> "Redis Cluster at " + hosts;
            case REDLOCK -> "Redlock of the Redis nodes at " + hosts;
        };
    }

    /** One node of a Redlock. It is given a part of the time that all together have: a node that is silent must not use it up. */
    RedisSettings node(Endpoint node) {
        return new RedisSettings(
                Topology.STANDALONE,
                List.of(node),
                master,
                database,
                server,
                sentinel,
                tls,
                prefix,
                tokens,
                0,
                commandTimeout.dividedBy(NODE_SHARE));
    }

    /** Five stand two failures, three one; an even number stands no more than the odd one below it. */
    private static void checkIndependent(BackendConfig config) {
        long different = config.endpoints().stream().distinct().count();
        if (different < FEWEST_NODES || different != config.endpoints().size()) {
            throw wrong("a " + config.scheme() + " URL names at least " + FEWEST_NODES + " nodes, all different, found "
                    + config.endpoints());
        }
    }

    private static String master(BackendConfig config, Topology topology) {
        if (topology != Topology.SENTINEL) {
            return "";
        }
        if (config.path().isBlank()) {
            throw wrong("a " + config.scheme() + " URL ends with the name of the primary, as in " + config.scheme()
                    + "://host:26379/mymaster, found no path");
        }
        return config.path();
    }

    private static int database(BackendConfig config, Topology topology) {
        Optional<Integer> option = config.find(RedisProvider.DATABASE);
        if (topology == Topology.SENTINEL || config.path().isEmpty()) {
            int database = option.orElse(0);
            return topology == Topology.CLUSTER ? clusterDatabase(String.valueOf(database)) : database;
        }
        if (topology == Topology.CLUSTER) {
            return clusterDatabase(config.path());
        }
        int database = RedisProvider.DATABASE.parse(config.path());
        if (option.isPresent() && option.get() != database) {
            throw wrong(
                    "the URL's path and option database name one database, found " + database + " and " + option.get());
        }
        return database;
    }

    private static int clusterDatabase(String found) {
        if (!found.equals("0")) {
            throw wrong("a Redis Cluster has database 0 only, found \"" + found + "\"");
        }
        return 0;
    }

    private static int waitReplicas(BackendConfig config, Topology topology) {
        int replicas = config.get(RedisProvider.WAIT_REPLICAS);
        if (replicas > 0 && (topology == Topology.CLUSTER || topology == Topology.REDLOCK)) {
            String where =
                    topology == Topology.CLUSTER ? "on a Redis Cluster" : "with a Redlock, whose nodes have none";
            throw wrong("option wait-replicas is not available " + where + ", found " + replicas);
        }
        return replicas;
    }

    static String prefix(String prefix) {
        boolean allowed = prefix.codePoints().allMatch(c -> c > ' ' && c < 0x7f && c != '{' && c != '}');
        if (prefix.isEmpty() || prefix.length() > 128 || !allowed) {
            throw wrong("option prefix takes 1 to 128 printable ASCII characters without spaces and braces, found \""
                    + prefix + "\"");
        }
        return prefix;
    }

    private static LockConfigurationException wrong(String message) {
        return new LockConfigurationException(message, null);
    }
}
