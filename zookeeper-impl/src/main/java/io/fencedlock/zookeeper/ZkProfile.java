package io.fencedlock.zookeeper;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendProfile.LeaseClock;
import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.Stream;

/** What this backend promises, by token source. */
final class ZkProfile {

    /** Sessions are expired at the next tick, and a tick is at most half of the smallest session time that a server grants. */
    private static final Duration TICKS = Duration.ofSeconds(4);

    private ZkProfile() {}

    static BackendProfile of(ZkSettings settings, Optional<Duration> session) {
        BackendProfile.Builder profile = BackendProfile.of("zookeeper", source(settings.tokens()))
                .lease(Duration.ofMillis(100), Duration.ofMillis(1))
                .liveness(LeaseScope.PER_SESSION, TICKS)
                .leaseClock(LeaseClock.MONOTONIC)
                .waiting(QueueOrder.FIFO, Contender.RECHECK);
        profile.notes(notes(settings, session));
        EnumSet<TokenSurvival> survives = EnumSet.of(
                TokenSurvival.CLIENT_RESTART, TokenSurvival.SERVER_RESTART, TokenSurvival.LOST_WRITE_FAILOVER);
        switch (settings.tokens()) {
            case CLOCK -> survives.addAll(EnumSet.allOf(TokenSurvival.class));
            case ZXID -> {
                survives.add(TokenSurvival.COUNTER_LOSS);
                profile.disclaim(
                        "TOK-6",
                        "a bare zxid starts again when the ensemble loses its data, and when the backend is changed");
            }
            case SEQUENCE ->
                profile.disclaim(
                        "TOK-6",
                        "a sequence number starts again when its parent znode is deleted, when the ensemble loses its data, and when the backend is changed");
        }
        if (settings.tokens() != TokenSource.CLOCK) {
            profile.disclaim("TOK-9", "ZooKeeper's own numbers cannot be raised");
        }
        return profile.tokensSurvive(survives).build();
    }

    private static String[] notes(ZkSettings settings, Optional<Duration> session) {
        Stream<String> fixed = Stream.of(
                "A lease of a dead or cut-off process ends with its session: after the option lease, as negotiated with the server.",
                "A leader change restarts the time of every session.",
                "The driver waits for up to a second before it connects again: with a session of less than 4 s one cut connection can cost a lease.",
                "A leader change adds 2^32 to a zxid: where there is more than one in 72 minutes on average, tokens run ahead of the clock, and another store, or this one without its data, may begin below them.");
        Stream<String> changed = session.filter(granted -> !granted.equals(settings.session())).stream()
                .map(granted -> "A session of " + settings.session().toMillis()
                        + " ms was asked for, the server granted " + granted.toMillis() + " ms.");
        return Stream.concat(fixed, changed).toArray(String[]::new);
    }

    private static String source(TokenSource tokens) {
        return switch (tokens) {
            case CLOCK -> "creation zxid of the holder's znode, plus a base born from the wall clock's µs";
            case ZXID -> "creation zxid of the holder's znode";
            case SEQUENCE -> "sequence number of the holder's znode, plus 1";
        };
    }
}
