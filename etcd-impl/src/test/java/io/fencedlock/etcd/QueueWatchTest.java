package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A key is used by one entry after the other: what is told of one is not taken for another's. */
class QueueWatchTest {

    private static final ByteString KEY = ByteString.copyFromUtf8("p/locks/a/c-0");

    private final List<Hint> looks = new ArrayList<>();
    private final QueueWatch watch = new QueueWatch(looks::add, () -> {}, 0);

    private Hint waiting(long seen) {
        Hint hint = Hint.on(KEY, seen);
        watch.add(hint, 0);
        return hint;
    }

    @Test
    void deletionIsToldToWhoSawTheEntryBefore() {
        watch.began(5);
        Hint hint = waiting(7);

        watch.deleted(KEY, 8);

        assertThat(hint.heard()).isDone();
        assertThat(watch.isUsed()).isFalse();
    }

    @Test
    void deletionOfAnEarlierEntryAtTheKeyIsNoNews() {
        watch.began(5);
        Hint hint = waiting(9);

        watch.deleted(KEY, 8);
        assertThat(hint.heard()).isNotDone();

        watch.deleted(KEY, 12);
        assertThat(hint.heard()).isDone();
    }

    @Test
    void deletionThatCameFirstIsRememberedWithItsRevision() {
        watch.began(5);
        watch.deleted(KEY, 8);

        assertThat(waiting(7).heard()).isDone();
        assertThat(waiting(8).heard()).isNotDone();
        assertThat(looks).isEmpty();
    }

    @Test
    void whoSawTheEntryBeforeTheWatchBeganLooksOnce() {
        watch.began(5);

        Hint hint = waiting(4);

        assertThat(hint.heard()).isNotDone();
        assertThat(looks).containsExactly(hint);
    }
}
