package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The number that lifts create revisions into the token space that all backends share. It only grows, and remembers what it was before, so
 * that the token of an entry granted before a raise can still be told.
 *
 * <p>Stored as {@code base[ earlier@revision]…}: the base, then the earlier ones, newest first, each with the revision since when it held.
 *
 * @param since the revision since when the newest holds
 * @param steps newest first, at least one
 */
record TokenBase(long since, List<Step> steps) {

    private static final int REMEMBERED = 64;

    record Step(long base, long since) {}

    static TokenBase of(KeyValue stored) {
        String[] parts = stored.getValue().toStringUtf8().split(" ", -1);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(Long.parseLong(parts[0]), stored.getModRevision()));
        for (int i = 1; i < parts.length; i++) {
            int at = parts[i].indexOf('@');
            steps.add(new Step(Long.parseLong(parts[i].substring(0, at)), Long.parseLong(parts[i].substring(at + 1))));
        }
        return new TokenBase(stored.getModRevision(), List.copyOf(steps));
    }

    static ByteString first(long base) {
        return ByteString.copyFromUtf8(Long.toString(base));
    }

    long newest() {
        return steps.get(0).base();
    }

    /** The base for an entry that was granted at a revision. */
    long at(long revision) {
        for (Step step : steps) {
            if (revision >= step.since()) {
                return step.base();
            }
        }
        return steps.get(steps.size() - 1).base();
    }

    /** What to store to raise it. */
    ByteString raised(long base) {
        StringBuilder text = new StringBuilder().append(base);
        for (Step step : steps.subList(0, Math.min(steps.size(), REMEMBERED))) {
            text.append(' ').append(step.base()).append('@').append(step.since());
        }
        return ByteString.copyFromUtf8(text.toString());
    }
}
