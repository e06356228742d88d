package io.fencedlock.cli.replay;

import io.fencedlock.cli.CommandFailure;
import java.util.List;
import java.util.stream.Collectors;

/** All scenarios, in the order of the article. */
final class Scenarios {
    static final String ALL = "all";
    private static final List<Scenario> LIST = List.of(
            new LeaseExpiry(),
            new OwnerCheckedRelease(),
            new StaleWrite(),
            new Fenced(),
            new FencedOverlap(),
            new SingleNodeFailover(),
            new Redlock(),
            new ConditionalUpdate(),
            new UniqueConstraint(),
            new IdempotencyKey(),
            new Partitioned(),
            new StaleWriteCutOff(),
            new StaleWriteLostReply(),
            StaleWriteLostData.COUNTER,
            StaleWriteLostData.WRITES);

    private Scenarios() {}

    static List<Scenario> all() {
        return LIST;
    }

    static List<Scenario> named(String name) {
        if (name.equals(ALL)) {
            return LIST;
        }
        List<Scenario> found = LIST.stream().filter(s -> s.name().equals(name)).toList();
        if (found.isEmpty()) {
            throw CommandFailure.wrongInput("no scenario \"" + name + "\"; there are all, "
                    + LIST.stream().map(Scenario::name).collect(Collectors.joining(", ")));
        }
        return found;
    }
}
