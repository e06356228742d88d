package io.fencedlock.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.compliance.history.Action;
import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.HistoryChecker;
import io.fencedlock.compliance.history.Law;
import io.fencedlock.compliance.history.Limits;
import io.fencedlock.compliance.history.Phase;
import io.fencedlock.compliance.history.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run is checked in pieces: what one phase ends with decides about the next one. */
class ChronicleTest {

    private final Chronicle chronicle = new Chronicle();
    private long now;
    private long op;

    private void held(long token) {
        String holder = String.format("%032x", ++op);
        event(op, Action.ACQUIRE, Phase.INVOKE, 0, "", Map.of());
        event(op, Action.ACQUIRE, Phase.OK, token, holder, Map.of());
        event(op, Action.RELEASE, Phase.INVOKE, token, holder, Map.of());
        event(op, Action.RELEASE, Phase.OK, token, holder, Map.of());
    }

    private void wrote(long token, long number, String value, String basedOn) {
        Map<String, String> more = basedOn.isEmpty()
                ? Map.of(Event.NUMBER, Long.toString(number), Event.VALUE, value)
                : Map.of(Event.NUMBER, Long.toString(number), Event.VALUE, value, Event.BASED_ON, basedOn);
        event(0, Action.APPLY, Phase.OK, token, String.format("%032x", op), more);
    }

    private void event(long number, Action action, Phase phase, long token, String holder, Map<String, String> more) {
        chronicle.add(new Event(++now, "w1", number, action, phase, "lock", token, holder, more));
    }

    private List<Law> broken() {
        return new HistoryChecker(Limits.DEFAULT)
                .check(chronicle.endPhase()).stream().map(Violation::law).toList();
    }

    @Test
    void tokensAndValuesThatGoOn_breakNothing() {
        for (int phase = 0; phase < 5; phase++) {
            held(10 + phase);
            wrote(10 + phase, 1 + phase, "v" + phase, phase == 0 ? "" : "v" + (phase - 1));
            assertThat(broken()).isEmpty();
        }
        assertThat(chronicle.grants()).isEqualTo(5);
    }

    @Test
    void aTokenThatGoesBackInALaterPhase_isFound() {
        held(10);
        assertThat(broken()).isEmpty();
        held(11);
        assertThat(broken()).isEmpty();
        held(9);
        assertThat(broken()).contains(Law.TOKEN_ORDER);
    }

    @Test
    void aTokenGivenAgainInALaterPhase_isFound() {
        held(10);
        assertThat(broken()).isEmpty();
        held(10);
        assertThat(broken()).contains(Law.UNIQUE_TOKENS);
    }

    @Test
    void aStaleWriteInALaterPhase_isFound() {
        held(10);
        wrote(10, 1, "a", "");
        assertThat(broken()).isEmpty();
        wrote(9, 2, "b", "a");
        assertThat(broken()).containsExactly(Law.STALE_WRITE);
    }

    @Test
    void anUpdateLostBetweenPhases_isFound() {
        held(10);
        wrote(10, 1, "a", "");
        wrote(10, 2, "b", "a");
        assertThat(broken()).isEmpty();
        held(11);
        wrote(11, 3, "c", "a");
        assertThat(broken()).containsExactly(Law.LOST_UPDATE);
    }

    @Test
    void awaitGrants_tellsWhichLocksWereNotGranted() throws InterruptedException {
        held(10);
        assertThat(chronicle.awaitGrants(List.of("lock"), 0, java.time.Duration.ZERO))
                .isEmpty();
        assertThat(chronicle.awaitGrants(List.of("lock", "other"), 0, java.time.Duration.ZERO))
                .containsExactly("other");
        assertThat(chronicle.awaitGrants(List.of("lock"), now, java.time.Duration.ZERO))
                .containsExactly("lock");
    }
}
