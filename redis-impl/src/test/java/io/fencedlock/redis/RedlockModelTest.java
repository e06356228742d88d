package io.fencedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.redis.RedlockModel.Flaw;
import io.fencedlock.redis.RedlockModel.Found;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens of a Redlock, in every order of events that a small world allows. */
class RedlockModelTest {

    @ParameterizedTest
    @CsvSource({"2, 0, 2", "2, 1, 1"})
    void noOrderOfEventsGrantsATokenTwiceOrOutOfOrder(int holders, int crashes, int proposals) {
        Found found = new RedlockModel(Flaw.NONE, holders, crashes, proposals).explore();

        assertThat(found.violation()).isEmpty();
        assertThat(found.states()).isGreaterThan(1000);
    }

    /** What is left out is missed: so the model can tell. */
    @ParameterizedTest
    @CsvSource({
        "NOT_MINE, 2, 0, 2",
        "NOT_HIGHER, 2, 0, 1",
        "HALF, 2, 0, 1",
        "UNSEEDED_VOTES, 2, 1, 1",
        "FORGOTTEN_VOTES, 2, 1, 1",
        "SEEDED_UNTOLD, 2, 1, 1"
    })
    void eachPartOfTheSchemeIsNeeded(Flaw flaw, int holders, int crashes, int proposals) {
        assertThat(new RedlockModel(flaw, holders, crashes, proposals).explore().violation())
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({"3, 0, 1", "2, 1, 2"})
    @Tag("full")
    void largerWorld(int holders, int crashes, int proposals) {
        assertThat(new RedlockModel(Flaw.NONE, holders, crashes, proposals)
                        .explore()
                        .violation())
                .isEmpty();
    }
}
