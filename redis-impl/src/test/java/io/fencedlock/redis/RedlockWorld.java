package io.fencedlock.redis;

import java.util.Arrays;

/**
 * A state of {@link RedlockModel}, in bytes: the nodes, the holders, those who seed, how often a node lost its data, and the highest token granted.
 *
 * @param holders how many acquisitions
 * @param crashes how often a node loses its data
 */
record RedlockWorld(int holders, int crashes) {

    static final int NODES = 3;
    static final int ALL = (1 << NODES) - 1;
    private static final int[][] NAMES = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    /** A node: entry's holder (0: none), its token, life, counter, top, nonce, then what it knows of each node. */
    static final int NODE = 6 + NODES;

    static final int OWNER = 0;
    static final int TOKEN = 1;
    static final int LIFE = 2;
    static final int COUNTER = 3;
    static final int TOP = 4;
    static final int NONCE = 5;
    static final int KNOWN = 6;

    /**
     * Who asks the nodes for their votes, a holder or a seeder: phase, number proposed, messages on their way, then for each node the life and the
     * knowledge told with its vote (0: no vote).
     */
    static final int VOTES = 3;

    static final int ASKER = VOTES + NODES * (1 + NODES);
    static final int PHASE = 0;
    static final int NUMBER = 1;
    static final int SENT = 2;

    /** A holder: an asker, then questions for the lock on their way, nodes that gave it, the highest counter seen, granted before, earlier proposal, its messages, proposals left. */
    static final int HOLDER = ASKER + 7;

    static final int ASKED = ASKER;
    static final int OURS = ASKER + 1;
    static final int SEEN = ASKER + 2;
    static final int BEFORE = ASKER + 3;
    static final int EARLIER = ASKER + 4;
    static final int EARLIER_SENT = ASKER + 5;
    static final int LEFT = ASKER + 6;

    /** A seeder: an asker, then the node and its nonce. */
    static final int SEEDER = ASKER + 2;

    static final int TARGET = ASKER;
    static final int ITS_NONCE = ASKER + 1;

    static final int IDLE = 0;
    static final int ASKING = 1;
    static final int PROPOSING = 2;
    static final int GRANTED = 3;
    static final int PLANTING = 2;
    static final int OVER = 3;

    static int node(int i) {
        return i * NODE;
    }

    int holder(int h) {
        return NODES * NODE + h * HOLDER;
    }

    int seeder(int s) {
        return NODES * NODE + holders * HOLDER + s * SEEDER;
    }

    /** At the end: how often a node lost its data, the highest token granted. */
    int crashed() {
        return seeder(crashes);
    }

    int highest() {
        return crashed() + 1;
    }

    byte[] start() {
        byte[] state = new byte[highest() + 1];
        for (int i = 0; i < NODES; i++) {
            state[node(i) + LIFE] = 1;
            state[node(i) + COUNTER] = 1;
            state[node(i) + TOP] = 1;
        }
        return state;
    }

    /** States that differ in the names of the nodes alone are one: the first of them. */
    byte[] first(byte[] state) {
        byte[] first = state;
        for (int[] names : NAMES) {
            byte[] same = renamed(state, names);
            first = Arrays.compare(same, first) < 0 ? same : first;
        }
        return first;
    }

    private byte[] renamed(byte[] s, int[] names) {
        byte[] t = s.clone();
        for (int i = 0; i < NODES; i++) {
            System.arraycopy(s, node(i), t, node(names[i]), KNOWN);
            known(s, node(i) + KNOWN, t, node(names[i]) + KNOWN, names);
        }
        for (int h = 0; h < holders; h++) {
            asker(s, holder(h), t, names);
            for (int bits : new int[] {ASKED, OURS, EARLIER_SENT}) {
                t[holder(h) + bits] = bits(s[holder(h) + bits], names);
            }
        }
        for (int k = 0; k < crashes; k++) {
            asker(s, seeder(k), t, names);
            boolean open = s[seeder(k) + PHASE] == ASKING || s[seeder(k) + PHASE] == PLANTING;
            t[seeder(k) + TARGET] = (byte) (open ? names[s[seeder(k) + TARGET]] : 0);
        }
        return t;
    }

    private static void asker(byte[] s, int at, byte[] t, int[] names) {
        t[at + SENT] = bits(s[at + SENT], names);
        for (int i = 0; i < NODES; i++) {
            int from = at + VOTES + i * (1 + NODES);
            int to = at + VOTES + names[i] * (1 + NODES);
            t[to] = s[from];
            known(s, from + 1, t, to + 1, names);
        }
    }

    private static void known(byte[] s, int from, byte[] t, int to, int[] names) {
        for (int i = 0; i < NODES; i++) {
            t[to + names[i]] = s[from + i];
        }
    }

    private static byte bits(int bits, int[] names) {
        int renamed = 0;
        for (int i = 0; i < NODES; i++) {
            renamed |= (bits >> i & 1) << names[i];
        }
        return (byte) renamed;
    }
}
