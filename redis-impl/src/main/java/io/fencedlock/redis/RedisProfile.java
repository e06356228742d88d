package io.fencedlock.redis;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
import java.util.EnumSet;

/** What Redis promises, by configuration. */
final class RedisProfile {

    private static final Duration GRANULARITY = Duration.ofMillis(1);
    private static final Duration SLACK = Duration.ofMillis(200);

    private RedisProfile() {}

    static BackendProfile of(RedisSettings settings) {
        boolean clock = settings.tokens() == TokenSource.CLOCK;
        BackendProfile.Builder profile = begin(
                        "redis",
                        clock
                                ? "a counter for each stripe of names, never below the server's clock in microseconds"
                                : "a counter for each stripe of names",
                        settings)
                .notes(
                        replication(settings.waitReplicas()),
                        clock
                                ? "After a failover that lost grants, or a loss of data, the order of tokens rests on the"
                                        + " server's clock: it must not be behind by more than the time since the last grant."
                                : "When the counter is lost, or a failover lost its last writes, tokens repeat.",
                        clock
                                ? "Tokens raised above the clock stand in the counters alone: after a loss of data they"
                                        + " begin at the clock, below that number, and have to be raised again."
                                : "Tokens that were raised fall back as well.",
                        "Lease times end by the server's wall clock: a step forward ends leases early, and their holders learn it at the next"
                                + " renewal; after a step back the entry of a dead holder stands for that much longer.");
        return end(profile, settings, "the plain counter starts again at 1 when it is lost");
    }

    /** What is so on one server and on several: lease times, waiting, and what the source of tokens survives. */
    static BackendProfile.Builder begin(String backend, String tokens, RedisSettings settings) {
        return BackendProfile.of(backend, tokens)
                .lease(Terms.SMALLEST_LEASE, GRANULARITY)
                .liveness(LeaseScope.PER_LOCK, SLACK)
                .waiting(QueueOrder.NONE, Terms.RECHECK)
                .tokensSurvive(
                        settings.tokens() == TokenSource.CLOCK
                                ? EnumSet.allOf(TokenSurvival.class)
                                : EnumSet.of(TokenSurvival.CLIENT_RESTART, TokenSurvival.SERVER_RESTART));
    }

    /** @param why tokens that are not held up by the clock break rules */
    static BackendProfile end(BackendProfile.Builder profile, RedisSettings settings, String why) {
        if (settings.tokens() != TokenSource.CLOCK) {
            profile.disclaim("TOK-6", why).disclaim("FLT-9", why).disclaim("FLT-12", why);
        }
        return profile.build();
    }

    private static String replication(int replicas) {
        String fenced = "two holders can then believe in their leases, and the fence tells them apart.";
        return replicas == 0
                ? "Redis copies writes to replicas after it has answered: a failover can lose the last grants and renewals; "
                        + fenced
                : "Each grant and renewal is confirmed by " + replicas
                        + " replicas or fails: a failover to one of those keeps it, a failover to another one can lose it; "
                        + fenced;
    }
}
