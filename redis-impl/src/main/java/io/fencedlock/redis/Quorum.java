package io.fencedlock.redis;

import java.util.Collection;
import java.util.List;

/**
 * What counts among the nodes of a Redlock.
 *
 * @param size how many nodes there are
 */
record Quorum(int size) {

    /** Any two majorities share a node. */
    int majority() {
        return size / 2 + 1;
    }

    /** Whether so many nodes that say no leave no majority for a yes. */
    boolean isLost(long against) {
        return size - against < majority();
    }

    /**
     * The votes that count together. A node without a life has none. A node's vote is void where another one knows of a later life of it:
     * it lost its memory after it had voted.
     */
    List<Standing> valid(Collection<Standing> answers) {
        return answers.stream()
                .filter(Standing::votes)
                .filter(vote -> answers.stream().allMatch(other -> other.known().get(vote.node()) <= vote.life()))
                .toList();
    }

    boolean isCarried(Collection<Standing> answers) {
        return valid(answers).size() >= majority();
    }
}
