package io.fencedlock.redis;

import java.util.List;

/**
 * What a node of a Redlock said of its own memory.
 *
 * @param node which one, from 0
 * @param nonce drawn by the node's first client since it lost its memory
 * @param life the number that it was seeded with since then; 0: it was not, and has no vote
 * @param top the highest number that it accepted
 * @param counter the highest token that it accepted for names of the stripe asked about
 * @param micros its wall clock
 * @param known the latest life that it knows of each node
 */
record Standing(int node, String nonce, long life, long top, long counter, long micros, List<Long> known) {

    boolean votes() {
        return life > 0;
    }
}
