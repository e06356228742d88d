package io.fencedlock.compliance;

import io.fencedlock.compliance.NumberingServer.Event;
import java.util.List;

/** Servers that lose the order of tokens, or leases, when something happens to them. */
final class ServerMutants {

    private ServerMutants() {}

    static List<Mutant> all() {
        return List.of(
                server("FLT-8", "the counter is not written to disk", "Redis without persistence", Event.RESTART),
                server("FLT-9", "the counter lives in the data alone", "etcd's revision", Event.DATA_LOSS),
                server("FLT-10", "a replica numbers from what it has seen", "redisson#4822", Event.FAILOVER),
                server("FLT-11", "leases end by the wall clock", "ShedLock on ZooKeeper", Event.CLOCK_STEP),
                server("FLT-12", "the counter is the deleted object's", "ZOOKEEPER-2163", Event.COUNTER_LOSS));
    }

    /** What the mutants are made from. */
    static Mutant faultless() {
        return server("none", "a server whose order survives everything", "our reference", Event.NOTHING);
    }

    private static Mutant server(String rule, String name, String seen, Event harmful) {
        return Mutant.server(
                rule,
                name,
                seen,
                clock -> new NumberingServer(clock, harmful),
                (backend, server) -> ((NumberingServer) server).number(backend));
    }
}
