package io.fencedlock.cli.replay;

import io.fencedlock.cli.replay.Actor.Written;
import java.util.LinkedHashMap;
import java.util.Map;

/** The node that holds the lock dies. Where a replica takes over that never heard of the lock, there are two holders; where a majority knows of it, one. */
final class SingleNodeFailover implements Scenario {

    @Override
    public String name() {
        return "single-node-failover";
    }

    @Override
    public String summary() {
        return "the leader dies: Redis promotes a replica without the lock, two hold it; ZooKeeper and etcd keep it";
    }

    @Override
    public Needs needs() {
        return Needs.CLUSTER;
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        return stage.faults().losesLastWrites() ? lost(stage) : kept(stage);
    }

    private static Verdict lost(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        stage.faults().holdReplication();
        stage.happens("network", "cut", "the replicas hear nothing more from the primary");
        a.acquiresWithoutRenewal();
        failOver(stage, "the primary is killed; a replica is promoted that has no lock entry");
        b.asks();
        b.acquired();
        boolean first = a.checks();
        boolean two = b.checks() && first;
        b.writes();
        Written late = a.writes();
        b.releases();
        Verdict ending = StaleEnding.of(stage, late);

        Map<String, Object> fields = new LinkedHashMap<>(ending.fields());
        fields.put("holdersAtOnce", two ? 2 : 1);
        return new Verdict(fields, ending.asExpected() && two, "two held the lock at once; " + ending.sentence());
    }

    private static Verdict kept(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        a.acquires();
        failOver(stage, "the leader is killed; another node leads");
        b.findsItHeld();
        boolean valid = a.checks();
        boolean written = a.writes().accepted();
        String released = a.releases();
        b.acquires();
        boolean next = b.writes().accepted();
        b.releases();
        String last = stage.c().reads().orElse("nobody");

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("holdersAtOnce", 1);
        fields.put("finalWriter", last);
        return new Verdict(
                fields,
                valid
                        && written
                        && !released.equals("NOT_HELD")
                        && next
                        && a.token() < b.token()
                        && last.equals(b.name()),
                "the lock outlived the leader; the final value is from " + last);
    }

    private static void failOver(Stage stage, String sentence) {
        stage.faults().failOver();
        stage.happens("server", "failed-over", sentence);
    }
}
