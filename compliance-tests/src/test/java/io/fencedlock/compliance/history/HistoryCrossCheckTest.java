package io.fencedlock.compliance.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fast checker and the exhaustive one agree on small random histories. */
class HistoryCrossCheckTest {

    private static final int HISTORIES = 20_000;

    @Test
    void bothSayTheSame() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int possible = 0;
        for (int i = 0; i < HISTORIES; i++) {
            List<SlowChecker.Grant> grants = random(random);
            boolean slow = SlowChecker.possible(grants);
            List<Violation> fast = new HistoryChecker(Limits.DEFAULT).check(events(grants));
            assertThat(fast.isEmpty())
                    .as("seed %d, history %d: %s; fast: %s", seed, i, grants, fast)
                    .isEqualTo(slow);
            possible += slow ? 1 : 0;
        }
        // neither kind is rare, else the comparison says little
        assertThat(possible).isBetween(HISTORIES / 20, HISTORIES * 19 / 20);
    }

    /** Up to five grants that mostly follow each other, then disturbed a little. */
    private static List<SlowChecker.Grant> random(Random random) {
        int count = 1 + random.nextInt(5);
        List<Long> tokens = new ArrayList<>();
        for (long t = 1; t <= count; t++) {
            tokens.add(t);
        }
        if (random.nextInt(4) == 0) {
            Collections.swap(tokens, 0, count - 1);
        }
        List<SlowChecker.Grant> grants = new ArrayList<>();
        long now = 10;
        for (int i = 0; i < count; i++) {
            long invoke = now - random.nextInt(8);
            long ok = Math.max(invoke, now + random.nextInt(4));
            boolean released = random.nextInt(12) != 0;
            long releaseInvoke = released ? ok + random.nextInt(6) : Long.MAX_VALUE;
            long releaseOk = released && random.nextInt(8) != 0 ? releaseInvoke + random.nextInt(4) : Long.MAX_VALUE;
            grants.add(new SlowChecker.Grant(tokens.get(i), invoke, ok, releaseInvoke, releaseOk));
            now = (released ? releaseInvoke : ok) + random.nextInt(6) - 2;
        }
        return grants;
    }

    private static List<Event> events(List<SlowChecker.Grant> grants) {
        List<Event> events = new ArrayList<>();
        long op = 0;
        for (SlowChecker.Grant grant : grants) {
            String process = "p" + grant.token();
            String holder = String.format("%032x", grant.token());
            op++;
            events.add(event(grant.invoke(), process, op, Action.ACQUIRE, Phase.INVOKE, 0, ""));
            events.add(event(grant.ok(), process, op, Action.ACQUIRE, Phase.OK, grant.token(), holder));
            if (grant.releaseInvoke() < Long.MAX_VALUE) {
                op++;
                events.add(
                        event(grant.releaseInvoke(), process, op, Action.RELEASE, Phase.INVOKE, grant.token(), holder));
            }
            if (grant.releaseOk() < Long.MAX_VALUE) {
                events.add(event(grant.releaseOk(), process, op, Action.RELEASE, Phase.UNKNOWN, grant.token(), holder));
            }
        }
        return events;
    }

    private static Event event(
            long at, String process, long op, Action action, Phase phase, long token, String holder) {
        return new Event(at, process, op, action, phase, "lock", token, holder, Map.of());
    }

    @Test
    void tenThousandGrantsTakeNoTime() {
        List<SlowChecker.Grant> grants = new ArrayList<>();
        for (long i = 1; i <= 10_000; i++) {
            grants.add(new SlowChecker.Grant(i, i * 10, i * 10 + 2, i * 10 + 5, i * 10 + 6));
        }
        long begin = System.nanoTime();
        assertThat(new HistoryChecker(Limits.DEFAULT).check(events(grants))).isEmpty();
        assertThat(System.nanoTime() - begin).isLessThan(5_000_000_000L);
    }
}
