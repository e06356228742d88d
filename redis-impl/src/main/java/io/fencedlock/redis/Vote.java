package io.fencedlock.redis;

import java.util.Arrays;
import java.util.List;

/**
 * A node's answer to one of the questions of a Redlock.
 *
 * @param said what became of the question
 * @param standing the node's memory
 * @param token that of the entry, 0 while there is none
 * @param holder the entry's; empty if none is told
 * @param millis how long somebody else's entry lives; negative if that is not told
 */
record Vote(Said said, Standing standing, long token, String holder, long millis) {

    /** As the scripts say it. */
    enum Said {
        MINE,
        HELD,
        ABANDONED,
        GONE,
        LOW,
        ACCEPTED,
        UNSEEDED,
        CHANGED,
        SEEN,
        STRANGER
    }

    static Vote parse(int node, List<Object> answer) {
        Standing standing = new Standing(
                node,
                text(answer, 1),
                Long.parseLong(text(answer, 2)),
                Long.parseLong(text(answer, 3)),
                Long.parseLong(text(answer, 4)),
                Long.parseLong(text(answer, 5)),
                Arrays.stream(text(answer, 6).split(",")).map(Long::valueOf).toList());
        return new Vote(
                Said.valueOf(text(answer, 0).toUpperCase(java.util.Locale.ROOT)),
                standing,
                Long.parseLong(text(answer, 7)),
                text(answer, 8),
                Long.parseLong(text(answer, 9)));
    }

    private static String text(List<Object> answer, int at) {
        return String.valueOf(answer.get(at));
    }

    /** Whether the asker has no entry on the node. */
    boolean leavesNothing() {
        return said == Said.HELD || said == Said.GONE || said == Said.ABANDONED;
    }

    boolean is(Said what) {
        return said == what;
    }
}
