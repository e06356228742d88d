package io.fencedlock.redis;

import io.fencedlock.BackendProfile;

/** What a Redlock promises, by configuration. */
final class RedlockProfile {

    private RedlockProfile() {}

    static BackendProfile of(RedisSettings settings, Quorum quorum) {
        boolean clock = settings.tokens() == TokenSource.CLOCK;
        int spare = quorum.size() - quorum.majority();
        BackendProfile.Builder profile = RedisProfile.begin(
                        "redlock",
                        clock
                                ? "one above what a majority of the nodes has stored, and never below the middle of their clocks in microseconds"
                                : "one above what a majority of the nodes has stored",
                        settings)
                .notes(
                        "Tokens are unique and in order while a majority of the " + quorum.size()
                                + " nodes remembers; " + spare
                                + " may be down or lose all their data at a time, and a node without its data has no vote until the others have"
                                + " told it what they know.",
                        clock
                                ? "When a majority lost its data, or nodes came back with older data (appendfsync everysec, an old"
                                        + " RDB file), the order rests on the clocks of most nodes: they must not be behind by more"
                                        + " than the time since the last grant."
                                : "When a majority lost its data tokens repeat.",
                        "At most one holds the lock only while the nodes' clocks and the lease times hold: when entries end early on a majority,"
                                + " by a clock step or since nodes lost them, two holders can believe in their leases, and the fence tells them apart.",
                        "Waiters are told of a release by the nodes, and have no order among them; when none gets a majority, each asks again"
                                + " after a short time of chance.",
                        "There is no fence in the nodes: keep what is to be protected in a store of its own.");
        return RedisProfile.end(
                profile, settings, "without the clock tokens begin at 1 again when a majority lost its data");
    }
}
