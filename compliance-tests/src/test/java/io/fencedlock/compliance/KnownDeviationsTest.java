package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class KnownDeviationsTest {

    private static final LocalDate TODAY = LocalDate.of(2026, 11, 29);

    @Test
    void parse_untilTheirDay() {
        String text = "# why\n\nTOK-6 2026-11-30 counter is evicted, see issue 7\nWAI-5 2026-11-29 over\n";
        assertThat(KnownDeviations.parse(text, TODAY))
                .containsOnlyKeys("TOK-6")
                .containsEntry("TOK-6", "known until 2026-11-30: counter is evicted, see issue 7");
    }

    @Test
    void parse_namesAWrongLine() {
        assertThatThrownBy(() -> KnownDeviations.parse("TOK-6 soon reason", TODAY))
                .hasMessageContaining("TOK-6 soon reason");
        assertThatThrownBy(() -> KnownDeviations.parse("TOK-6 2026-12-01", TODAY))
                .hasMessageContaining("TOK-6 2026-12-01");
    }
}
