package io.fencedlock.compliance.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.HolderId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One violation of each kind, made by hand, beside the nearest history that breaks nothing. Times are milliseconds. */
class HistoryCheckerTest {

    private static final Limits LIMITS = new Limits(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(5));

    private final List<Event> events = new ArrayList<>();
    private long op;

    private static String holder(String process, long token) {
        return String.format("%032x", process.hashCode() * 31L + token);
    }

    private void event(long at, String process, Action action, Phase phase, long token, String... more) {
        Map<String, String> map = new java.util.HashMap<>();
        for (int i = 0; i < more.length; i += 2) {
            map.put(more[i], more[i + 1]);
        }
        String holder = token == 0 || process.equals("nobody") ? "" : holder(process, token);
        String subject = action == Action.WRITE || action == Action.APPLY ? "resource" : "lock";
        events.add(new Event(at * 1_000_000, process, op, action, phase, subject, token, holder, map));
    }

    private void acquire(String process, long token, long invoke, long ok) {
        op++;
        event(invoke, process, Action.ACQUIRE, Phase.INVOKE, 0, Event.WAIT, "1000000000");
        event(ok, process, Action.ACQUIRE, Phase.OK, token, Event.LEASE, "100000000");
    }

    private void span(String process, Action action, long token, long invoke, long end, Phase phase, String... more) {
        op++;
        event(invoke, process, action, Phase.INVOKE, token, more);
        event(end, process, action, phase, token, more);
    }

    private void release(String process, long token, long invoke, long end, Phase phase) {
        span(process, Action.RELEASE, token, invoke, end, phase);
    }

    private void fault(String whom, Fault kind, long begin, long end) {
        op++;
        String name = kind.name().toLowerCase(java.util.Locale.ROOT);
        events.add(new Event(
                begin * 1_000_000, whom, op, Action.FAULT, Phase.INVOKE, "", 0, "", Map.of(Event.FAULT, name)));
        events.add(new Event(end * 1_000_000, whom, op, Action.FAULT, Phase.OK, "", 0, "", Map.of(Event.FAULT, name)));
    }

    private void apply(long n, String process, long token, boolean accepted, String value, String basedOn) {
        event(
                n,
                process,
                Action.APPLY,
                accepted ? Phase.OK : Phase.FAIL,
                token,
                value == null
                        ? new String[] {Event.NUMBER, "" + n, Event.ADVANCE, "true"}
                        : basedOn == null
                                ? new String[] {Event.NUMBER, "" + n, Event.VALUE, value}
                                : new String[] {Event.NUMBER, "" + n, Event.VALUE, value, Event.BASED_ON, basedOn});
    }

    private void expect(Law... laws) {
        List<Violation> found = new HistoryChecker(LIMITS).check(events);
        assertThat(found.stream().map(Violation::law).collect(Collectors.toSet()))
                .as(found::toString)
                .containsExactlyInAnyOrder(laws);
        assertThat(found).allMatch(v -> v.proof().size() <= 5 && v.explanation().length() > 20);
        events.clear();
    }

    @Test
    void cleanHistory() {
        acquire("a", 1, 0, 10);
        span("a", Action.RENEW, 1, 12, 14, Phase.OK);
        acquire("b", 2, 5, 25);
        release("a", 1, 20, 24, Phase.OK);
        release("b", 2, 30, 31, Phase.OK);
        expect();
    }

    @Test
    void uniqueTokens() {
        acquire("a", 1, 0, 10);
        release("a", 1, 20, 24, Phase.OK);
        acquire("b", 1, 25, 26);
        release("b", 1, 30, 31, Phase.OK);
        expect(Law.UNIQUE_TOKENS);
    }

    @Test
    void tokenOrder() {
        acquire("a", 2, 0, 10);
        release("a", 2, 11, 12, Phase.OK);
        acquire("b", 1, 20, 21);
        release("b", 1, 30, 31, Phase.OK);
        expect(Law.TOKEN_ORDER);
    }

    @Test
    void exclusion() {
        acquire("a", 1, 0, 10);
        acquire("b", 2, 5, 15);
        release("a", 1, 20, 24, Phase.UNKNOWN);
        release("b", 2, 30, 31, Phase.OK);
        expect(Law.EXCLUSION);
    }

    @Test
    void exclusion_brokenWithAReason() {
        acquire("a", 1, 0, 10);
        fault("a", Fault.KILL, 11, 12);
        acquire("b", 2, 5, 115);
        release("b", 2, 130, 131, Phase.OK);
        expect();
    }

    @Test
    void unknownOutcomesHaveNoEnd() {
        op++;
        event(0, "a", Action.ACQUIRE, Phase.INVOKE, 0);
        event(1, "a", Action.ACQUIRE, Phase.UNKNOWN, 0);
        acquire("b", 2, 5, 15);
        op++;
        event(20, "b", Action.RELEASE, Phase.INVOKE, 2);
        acquire("c", 3, 16, 25);
        release("c", 3, 30, 31, Phase.OK);
        expect();
    }

    @Test
    void staleWrite() {
        apply(1, "a", 5, true, "v1", null);
        apply(2, "b", 6, true, "v2", "v1");
        apply(3, "a", 5, false, "v3", "v1");
        expect();
        apply(1, "b", 6, true, "v2", null);
        apply(2, "a", 5, true, "v3", "v2");
        expect(Law.STALE_WRITE);
    }

    @Test
    void staleWrite_byATwin() {
        apply(1, "a", 5, true, "v1", null);
        apply(2, "twin", 5, true, "v2", "v1");
        expect(Law.STALE_WRITE);
    }

    @Test
    void contiguousWrites() {
        apply(1, "a", 5, true, "v1", null);
        apply(2, "b", 6, true, "v2", "v1");
        apply(3, "a", 5, true, "v3", "v2");
        expect(Law.CONTIGUOUS_WRITES, Law.STALE_WRITE);
    }

    @Test
    void lostUpdate() {
        apply(1, "a", 5, true, "v1", null);
        apply(2, "b", 6, true, null, null);
        apply(3, "b", 6, true, "v2", "v0");
        expect(Law.LOST_UPDATE);
    }

    @Test
    void falseRefusal() {
        apply(1, "a", 5, true, "v1", null);
        apply(2, "b", 6, false, "v2", "v1");
        expect(Law.FALSE_REFUSAL);
    }

    @Test
    void falseRefusal_becauseTokensDoNotGrow() {
        apply(1, "x", 9, true, "v1", null);
        acquire("a", 3, 0, 10);
        span("a", Action.WRITE, 3, 12, 13, Phase.FAIL, Event.VALUE, "v2");
        apply(2, "a", 3, false, "v2", null);
        release("a", 3, 20, 21, Phase.OK);
        expect(Law.FALSE_REFUSAL);
    }

    @Test
    void truthfulWrite() {
        span("a", Action.WRITE, 5, 1, 3, Phase.OK, Event.VALUE, "v1");
        span("a", Action.WRITE, 5, 4, 6, Phase.FAIL, Event.VALUE, "v2");
        span("a", Action.WRITE, 5, 7, 8, Phase.UNKNOWN, Event.VALUE, "v3");
        apply(5, "a", 5, true, "v2", null);
        expect(Law.TRUTHFUL_WRITE);
    }

    @Test
    void truthfulRelease_claimsWhatIsAnothers() {
        acquire("a", 1, 0, 10);
        fault("a", Fault.PAUSE, 11, 200);
        acquire("b", 2, 5, 150);
        release("a", 1, 201, 202, Phase.OK);
        release("b", 2, 230, 231, Phase.OK);
        expect(Law.TRUTHFUL_RELEASE);
    }

    /** A primary that was paused goes on for a moment after its replica was elected, and grants what the replica has handed to somebody. */
    @Test
    void truthfulRelease_ofANodeThatDoesNotKnowTheOther() {
        fault("*", Fault.SPLIT, 5, 60);
        acquire("a", 1, 0, 10);
        acquire("b", 2, 5, 15);
        release("a", 1, 20, 21, Phase.OK);
        event(70, "b", Action.LOST, Phase.OK, 2);
        expect();
        fault("*", Fault.DROP, 5, 60);
        acquire("a", 1, 0, 10);
        acquire("b", 2, 5, 15);
        release("a", 1, 20, 21, Phase.OK);
        event(70, "b", Action.LOST, Phase.OK, 2);
        expect(Law.TRUTHFUL_RELEASE);
    }

    @Test
    void truthfulRelease_deniesTheHolder() {
        acquire("a", 1, 0, 10);
        release("a", 1, 20, 21, Phase.FAIL);
        expect(Law.TRUTHFUL_RELEASE);
        acquire("a", 1, 0, 10);
        release("a", 1, 120, 121, Phase.FAIL);
        expect();
    }

    @Test
    void truthfulRenewal() {
        acquire("a", 1, 0, 10);
        fault("a", Fault.PAUSE, 11, 200);
        acquire("b", 2, 5, 150);
        span("a", Action.RENEW, 1, 201, 202, Phase.OK);
        event(203, "a", Action.LOST, Phase.OK, 1);
        release("b", 2, 230, 231, Phase.OK);
        expect(Law.TRUTHFUL_RENEWAL);
    }

    @Test
    void lossTold() {
        acquire("a", 1, 0, 10);
        fault("a", Fault.CUT, 11, 300);
        acquire("b", 2, 5, 150);
        event(149, "a", Action.LOST, Phase.OK, 1);
        release("b", 2, 230, 231, Phase.OK);
        expect();
        acquire("a", 1, 0, 10);
        fault("a", Fault.CUT, 11, 300);
        acquire("b", 2, 5, 150);
        event(190, "a", Action.LOST, Phase.OK, 1);
        release("b", 2, 230, 231, Phase.OK);
        expect(Law.LOSS_TOLD);
    }

    @Test
    void lossTold_toAProcessThatWakesUp() {
        acquire("a", 1, 0, 10);
        fault("a", Fault.PAUSE, 11, 200);
        acquire("b", 2, 5, 150);
        event(203, "a", Action.LOST, Phase.OK, 1);
        release("b", 2, 230, 231, Phase.OK);
        expect();
        acquire("a", 1, 0, 10);
        fault("a", Fault.PAUSE, 11, 200);
        acquire("b", 2, 5, 150);
        release("b", 2, 230, 231, Phase.OK);
        release("a", 1, 260, 262, Phase.FAIL);
        expect(Law.LOSS_TOLD);
    }

    @Test
    void lossTold_ofADroppedEntry_toAProcessThatIsPausedBeforeItCouldHear() {
        acquire("a", 1, 0, 10);
        fault("*", Fault.DROP, 11, 20);
        acquire("b", 2, 12, 15);
        fault("a", Fault.PAUSE, 40, 200);
        event(204, "a", Action.LOST, Phase.OK, 1);
        release("b", 2, 230, 231, Phase.OK);
        expect();
        acquire("a", 1, 0, 10);
        fault("*", Fault.DROP, 11, 20);
        acquire("b", 2, 12, 15);
        event(76, "a", Action.LOST, Phase.OK, 1);
        release("b", 2, 230, 231, Phase.OK);
        expect(Law.LOSS_TOLD);
    }

    /** The store granted, dropped and granted again before the first holder heard of its grant. */
    @Test
    void exclusion_aGrantHeardOfAfterItsEntryWasDropped() {
        fault("*", Fault.DROP, 3, 20);
        acquire("a", 1, 0, 10);
        acquire("b", 2, 5, 9);
        event(40, "a", Action.LOST, Phase.OK, 1);
        release("b", 2, 50, 51, Phase.OK);
        expect();
    }

    @Test
    void toldOnce() {
        acquire("a", 1, 0, 10);
        event(110, "a", Action.LOST, Phase.OK, 1);
        event(111, "a", Action.LOST, Phase.OK, 1);
        expect(Law.TOLD_ONCE);
        acquire("a", 1, 0, 10);
        release("a", 1, 12, 13, Phase.OK);
        event(111, "a", Action.LOST, Phase.OK, 1);
        expect(Law.TOLD_ONCE);
    }

    @Test
    void bounded() {
        op++;
        event(0, "a", Action.ACQUIRE, Phase.INVOKE, 0, Event.WAIT, "20000000");
        event(30, "a", Action.ACQUIRE, Phase.FAIL, 0);
        expect();
        op++;
        event(0, "a", Action.ACQUIRE, Phase.INVOKE, 0, Event.WAIT, "20000000");
        event(40, "a", Action.ACQUIRE, Phase.FAIL, 0);
        expect(Law.BOUNDED);
    }

    @Test
    void bounded_aPauseIsAddedOnce_andNoMoreThanThat() {
        op++;
        event(0, "a", Action.ACQUIRE, Phase.INVOKE, 0, Event.WAIT, "20000000");
        event(70, "a", Action.ACQUIRE, Phase.FAIL, 0);
        fault("a", Fault.PAUSE, 10, 40);
        fault("a", Fault.PAUSE, 20, 50);
        fault("b", Fault.PAUSE, 0, 70);
        expect();
        op++;
        event(100, "a", Action.ACQUIRE, Phase.INVOKE, 0, Event.WAIT, "20000000");
        event(190, "a", Action.ACQUIRE, Phase.FAIL, 0);
        fault("a", Fault.PAUSE, 90, 120);
        expect(Law.BOUNDED);
    }

    @Test
    void residue() {
        event(0, "nobody", Action.RESIDUE, Phase.OK, 0, Event.COUNT, "0");
        expect();
        event(0, "nobody", Action.RESIDUE, Phase.OK, 0, Event.COUNT, "2");
        expect(Law.RESIDUE);
    }

    @Test
    void everyLawHasItsViolationHere() {
        assertThat(Law.values()).hasSize(14);
    }

    @Test
    void linesAreReadAsTheyWereWritten() {
        acquire("a \"quoted\" ü\n\u0001", Long.MAX_VALUE, 0, 10);
        apply(3, "a", 1L << 53 | 1, true, "v", "w");
        for (Event event : events) {
            assertThat(Event.parse(event.toJson())).isEqualTo(event);
        }
        assertThat(new HolderId(events.get(1).holder())).isNotNull();
    }
}
