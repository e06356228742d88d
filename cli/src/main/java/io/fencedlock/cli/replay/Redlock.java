package io.fencedlock.cli.replay;

import io.fencedlock.cli.replay.Actor.Written;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A lock on a majority of independent Redis nodes. It outlives one node that forgets, where a single primary with a replica does not. A pause and
 * a jump of the nodes' clocks give two holders all the same; the token tells them apart.
 */
final class Redlock implements Scenario {

    @Override
    public String name() {
        return "redlock";
    }

    @Override
    public String summary() {
        return "a majority of independent Redis nodes: one that forgets harms nothing; a pause and clocks that jump"
                + " give two holders";
    }

    @Override
    public Needs needs() {
        return Needs.REDLOCK;
    }

    /** There is no fence over several nodes. */
    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        boolean kept = outlivesOneNode(stage);
        Actor a = stage.a();
        Actor b = stage.b();
        a.acquiresWithoutRenewal();
        a.pauses();
        stage.happens("server", "clock-jumped", stage.faults().jumpClocks());
        b.asks();
        b.acquired();
        b.writes();
        boolean two = a.continuesAndChecks();
        Written late = a.writes();
        b.releases();
        Verdict ending = StaleEnding.of(stage, late);

        Map<String, Object> fields = new LinkedHashMap<>(ending.fields());
        fields.put("heldAfterOneNodeForgot", kept);
        fields.put("holdersAtOnce", two ? 2 : 1);
        return new Verdict(
                fields,
                ending.asExpected() && kept && two,
                "one node that forgot changed nothing; after the clocks two held the lock at once; "
                        + ending.sentence());
    }

    /** What a single primary does in its place is the scenario single-node-failover. */
    private static boolean outlivesOneNode(Stage stage) {
        Actor a = stage.a();
        long token = a.acquires();
        stage.faults().wipeOneNode();
        stage.happens(
                "server",
                "wiped",
                "one of five nodes is killed and comes back without its data; the others know of the lock");
        stage.b().findsItHeld();
        boolean valid = a.checks();
        a.releases();
        return valid && token > 0;
    }
}
