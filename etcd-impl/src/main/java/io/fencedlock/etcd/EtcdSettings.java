package io.fencedlock.etcd;

import io.fencedlock.BackendConfig;
import io.fencedlock.BackendProfile;
import io.fencedlock.BackendProfile.LeaseClock;
import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.SharedOptions;
import io.fencedlock.TokenSurvival;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the configuration says, checked.
 *
 * @param keys where things stand
 * @param tokens where tokens come from
 * @param scope what entries live on
 * @param sessionTime the time of an etcd lease
 * @param tls how to encrypt, empty: not at all
 */
record EtcdSettings(
        EtcdKeys keys, TokenSource tokens, EtcdSessions.Scope scope, Duration sessionTime, Optional<SslContext> tls) {

    static final String DEFAULT_PREFIX = "fencedlock";

    /** What etcd grants at least with its default election timeout of one second: one and a half of it, in whole seconds. */
    private static final Duration SMALLEST_LEASE = Duration.ofSeconds(2);

    /** An etcd lease is counted in whole seconds and ended at the next scan, every half second. */
    private static final Duration EXPIRY_SLACK = Duration.ofSeconds(2);

    /**
     * Reads and checks.
     *
     * @throws LockConfigurationException if something cannot be used
     */
    static EtcdSettings of(BackendConfig config) {
        Duration lease = config.get(SharedOptions.LEASE);
        if (lease.compareTo(SMALLEST_LEASE) < 0) {
            throw new LockConfigurationException(
                    "option lease takes at least 2s with etcd, which keeps no etcd lease for less, found "
                            + lease.toMillis() + "ms",
                    null);
        }
        if (config.find(SharedOptions.PASSWORD).isPresent()
                && config.find(SharedOptions.USER).isEmpty()) {
            throw new LockConfigurationException("a password needs a user, found only a password", null);
        }
        return new EtcdSettings(
                new EtcdKeys(config.path().isBlank() ? DEFAULT_PREFIX : config.path()),
                config.get(EtcdProvider.TOKENS),
                config.get(EtcdProvider.ETCD_LEASE),
                lease,
                EtcdTls.of(config));
    }

    BackendProfile profile() {
        boolean perLock = scope == EtcdSessions.Scope.LOCK;
        BackendProfile.Builder profile = BackendProfile.of("etcd", source())
                .lease(SMALLEST_LEASE, perLock ? Duration.ofSeconds(1) : Duration.ofMillis(1))
                .liveness(perLock ? LeaseScope.PER_LOCK : LeaseScope.PER_SESSION, EXPIRY_SLACK)
                .leaseClock(LeaseClock.MONOTONIC)
                .waiting(QueueOrder.FIFO, EtcdQueue.RECHECK)
                .tokensSurvive(survives())
                .notes(
                        "An etcd lease counts in whole seconds; the option lease is rounded up to them.",
                        "After a change of leader etcd gives each etcd lease its full time again: the entry of a dead holder then stands"
                                + " for that much longer.",
                        tokens == TokenSource.CLOCK
                                ? "The base of the tokens is a clock in microseconds: that of the client that started last, and never"
                                        + " lowered. Tokens raised above the clock fall back to it when etcd loses its data, and have"
                                        + " to be raised again."
                                : "Tokens cannot be raised: after a loss of data they go on from 1.");
        if (tokens == TokenSource.REVISION) {
            profile.disclaim("FLT-9", "etcd's revisions start again at 1 when it lost its data, and cannot be raised.");
            profile.disclaim("TOK-9", "etcd's revisions cannot be raised");
        }
        return profile.build();
    }

    private String source() {
        return tokens == TokenSource.REVISION ? "create revision of the entry" : "base + create revision of the entry";
    }

    private Set<TokenSurvival> survives() {
        Set<TokenSurvival> all = EnumSet.of(
                TokenSurvival.CLIENT_RESTART,
                TokenSurvival.SERVER_RESTART,
                TokenSurvival.COUNTER_LOSS,
                TokenSurvival.LOST_WRITE_FAILOVER);
        if (tokens == TokenSource.CLOCK) {
            all.addAll(EnumSet.of(TokenSurvival.DATA_LOSS, TokenSurvival.BACKEND_CHANGE));
        }
        return all;
    }
}
