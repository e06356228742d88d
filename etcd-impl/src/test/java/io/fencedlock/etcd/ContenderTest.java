package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a contender's key may be deleted without a look at it, and when another contender may have it. */
class ContenderTest {

    private static final long CREATED = 7;

    private final Contender contender =
            new Contender(new LockName("a"), HolderId.random(), 0, ByteString.copyFromUtf8("p/locks/a/c-0"));

    @Test
    void nothingIsAskedForOneWhoWasGivenUp() {
        CompletableFuture<Void> first = new CompletableFuture<>();
        assertThat(contender.asks(first)).isTrue();

        contender.leaves();

        assertThat(contender.asks(new CompletableFuture<>())).isFalse();
        assertThat(contender.lastRequest()).isSameAs(first);
    }

    @Test
    void whoLeftNothingGivesItsKeyBack() {
        assertThat(contender.mayHaveEntry()).isFalse();
        assertThat(contender.retires()).isTrue();
    }

    @Test
    void theFirstReleaseHasTheKeyForItself_untilItIsAnswered() {
        contender.entered(CREATED);

        assertThat(contender.releases(CREATED)).isTrue();
        assertThat(contender.releases(CREATED)).isFalse();
        assertThat(contender.retires()).isFalse();

        contender.released();
        assertThat(contender.retires()).isTrue();
    }

    @Test
    void aReleaseOfAnotherEntry_orAfterTheEnd_looksWhoseEntryItIs() {
        contender.entered(CREATED);
        assertThat(contender.releases(CREATED - 1)).isFalse();

        contender.retires();
        assertThat(contender.releases(CREATED)).isFalse();
    }

    @Test
    void aRequestWithoutAnAnswerKeepsTheKeyFromOthers() {
        contender.doubt();
        contender.entered(CREATED);

        assertThat(contender.releases(CREATED)).isFalse();
        assertThat(contender.retires()).isFalse();
    }
}
