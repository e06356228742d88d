package io.fencedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnansweredTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    /** A look comes this often. */
    private static final Duration LATE = TIMEOUT.dividedBy(16);

    private final ManualClock clock = new ManualClock();
    private final Unanswered unanswered = new Unanswered(clock, TIMEOUT);
    private final List<String> expired = new ArrayList<>();

    private Unanswered.Request sent(String name) {
        long at = clock.nanos();
        Unanswered.Request request = new Unanswered.Request() {
            @Override
            public long sentAt() {
                return at;
            }

            @Override
            public void expire() {
                expired.add(name);
            }
        };
        unanswered.add(request);
        return request;
    }

    @Test
    void eachIsEndedWhenItsTimeIsOverAndNotBefore() {
        sent("a");
        clock.advance(TIMEOUT.dividedBy(2));
        sent("b");

        clock.advance(TIMEOUT.dividedBy(2).minusNanos(1));
        assertThat(expired).isEmpty();
        clock.advance(LATE);
        assertThat(expired).containsExactly("a");

        clock.advance(TIMEOUT.dividedBy(2));
        assertThat(expired).containsExactly("a", "b");
    }

    @Test
    void oneThatIsAnsweredIsNotEnded() {
        Unanswered.Request first = sent("a");
        sent("b");
        sent("c");
        unanswered.remove(first);

        clock.advance(TIMEOUT.plus(LATE));

        assertThat(expired).containsExactly("b", "c");
    }

    @Test
    void oneTimerForAllWhichEndsWithTheLast() {
        Unanswered.Request first = sent("a");
        Unanswered.Request second = sent("b");
        assertThat(clock.pending()).isEqualTo(1);

        unanswered.remove(first);
        unanswered.remove(second);
        clock.advance(LATE);
        assertThat(clock.pending()).isZero();

        sent("c");
        clock.advance(TIMEOUT.plus(LATE));
        assertThat(expired).containsExactly("c");
        assertThat(clock.pending()).isZero();
    }
}
