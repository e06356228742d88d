package io.fencedlock.redis;

import static io.fencedlock.redis.RedlockWorld.ALL;
import static io.fencedlock.redis.RedlockWorld.ASKED;
import static io.fencedlock.redis.RedlockWorld.ASKER;
import static io.fencedlock.redis.RedlockWorld.ASKING;
import static io.fencedlock.redis.RedlockWorld.BEFORE;
import static io.fencedlock.redis.RedlockWorld.COUNTER;
import static io.fencedlock.redis.RedlockWorld.EARLIER;
import static io.fencedlock.redis.RedlockWorld.EARLIER_SENT;
import static io.fencedlock.redis.RedlockWorld.GRANTED;
import static io.fencedlock.redis.RedlockWorld.IDLE;
import static io.fencedlock.redis.RedlockWorld.ITS_NONCE;
import static io.fencedlock.redis.RedlockWorld.KNOWN;
import static io.fencedlock.redis.RedlockWorld.LEFT;
import static io.fencedlock.redis.RedlockWorld.LIFE;
import static io.fencedlock.redis.RedlockWorld.NODE;
import static io.fencedlock.redis.RedlockWorld.NODES;
import static io.fencedlock.redis.RedlockWorld.NONCE;
import static io.fencedlock.redis.RedlockWorld.NUMBER;
import static io.fencedlock.redis.RedlockWorld.OURS;
import static io.fencedlock.redis.RedlockWorld.OVER;
import static io.fencedlock.redis.RedlockWorld.OWNER;
import static io.fencedlock.redis.RedlockWorld.PHASE;
import static io.fencedlock.redis.RedlockWorld.PLANTING;
import static io.fencedlock.redis.RedlockWorld.PROPOSING;
import static io.fencedlock.redis.RedlockWorld.SEEDER;
import static io.fencedlock.redis.RedlockWorld.SEEN;
import static io.fencedlock.redis.RedlockWorld.SENT;
import static io.fencedlock.redis.RedlockWorld.TARGET;
import static io.fencedlock.redis.RedlockWorld.TOKEN;
import static io.fencedlock.redis.RedlockWorld.TOP;
import static io.fencedlock.redis.RedlockWorld.VOTES;
import static io.fencedlock.redis.RedlockWorld.node;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Every state that three nodes and a few holders of one lock can come to, whatever the order of events: a message comes at any time or never,
 * an entry ends at any time, a node loses all it has at any time. Looks in each for a token that is granted twice, one that is not above
 * those granted before its acquisition began, and one above that of a holder whose entry a majority still has.
 *
 * <p>Counting votes is the backend's own code; the scripts are told again here in a few lines. A message that would change nothing is the
 * same as one that never comes, and so is left out.
 *
 * @param flaw what is done wrong on purpose
 * @param holders how many acquisitions
 * @param crashes how often a node loses its data
 * @param proposals how many tokens a holder may propose
 */
record RedlockModel(Flaw flaw, int holders, int crashes, int proposals, RedlockWorld world) {

    RedlockModel(Flaw flaw, int holders, int crashes, int proposals) {
        this(flaw, holders, crashes, proposals, new RedlockWorld(holders, crashes));
    }

    /** What is left out. */
    enum Flaw {
        NONE,
        /** A token is stored though the lock is not the holder's any more. */
        NOT_MINE,
        /** A token is stored though a higher one was. */
        NOT_HIGHER,
        /** A node without its memory votes. */
        UNSEEDED_VOTES,
        /** A vote counts though the node lost its memory since. */
        FORGOTTEN_VOTES,
        /** A node is seeded while the others do not know of it. */
        SEEDED_UNTOLD,
        /** Half of the nodes are enough. */
        HALF
    }

    private static final Quorum QUORUM = new Quorum(NODES);

    /** What was found. */
    record Found(int states, Optional<String> violation) {}

    Found explore() {
        Set<String> visited = new HashSet<>();
        Deque<byte[]> open = new ArrayDeque<>();
        visit(world.start(), visited, open);
        while (!open.isEmpty()) {
            List<byte[]> next = new ArrayList<>();
            Optional<String> violation = steps(open.remove(), next);
            if (violation.isPresent()) {
                return new Found(visited.size(), violation);
            }
            next.forEach(state -> visit(state, visited, open));
        }
        return new Found(visited.size(), Optional.empty());
    }

    private void visit(byte[] state, Set<String> visited, Deque<byte[]> open) {
        byte[] first = world.first(state);
        if (visited.add(new String(first, StandardCharsets.ISO_8859_1))) {
            open.add(first);
        }
    }

    private Optional<String> steps(byte[] s, List<byte[]> next) {
        for (int i = 0; i < NODES; i++) {
            if (s[node(i) + OWNER] != 0) {
                byte[] t = with(s, next);
                t[node(i) + OWNER] = 0;
                t[node(i) + TOKEN] = 0;
            }
            if (s[world.crashed()] < crashes) {
                byte[] t = with(s, next);
                Arrays.fill(t, node(i), node(i) + NODE, (byte) 0);
                t[node(i) + NONCE] = ++t[world.crashed()];
            }
        }
        for (int k = 0; k < crashes; k++) {
            seed(s, world.seeder(k), next);
        }
        for (int h = 0; h < holders; h++) {
            Optional<String> violation = hold(s, h, next);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }

    private static byte[] with(byte[] state, List<byte[]> next) {
        byte[] copy = state.clone();
        next.add(copy);
        return copy;
    }

    private Optional<String> hold(byte[] s, int h, List<byte[]> next) {
        int at = world.holder(h);
        if (s[at + PHASE] == IDLE) {
            // They differ in nothing but their numbers: so they begin in order.
            if (h == 0 || s[world.holder(h - 1) + PHASE] != IDLE) {
                byte[] t = with(s, next);
                t[at + PHASE] = ASKING;
                t[at + ASKED] = ALL;
                t[at + BEFORE] = t[world.highest()];
                t[at + LEFT] = (byte) proposals;
            }
            return Optional.empty();
        }
        for (int i = 0; i < NODES; i++) {
            if ((s[at + ASKED] & 1 << i) != 0) {
                lock(s, h, i, next);
            }
            if ((s[at + SENT] & 1 << i) != 0) {
                accept(s, h, i, s[at + NUMBER], true, next);
            }
            if ((s[at + EARLIER_SENT] & 1 << i) != 0) {
                accept(s, h, i, s[at + EARLIER], false, next);
            }
        }
        boolean first = s[at + PHASE] == ASKING && Integer.bitCount(s[at + OURS]) >= majority();
        boolean again = s[at + PHASE] == PROPOSING && s[at + SEEN] >= s[at + NUMBER];
        if ((first || again) && s[at + LEFT] > 0) {
            byte[] t = with(s, next);
            t[at + PHASE] = PROPOSING;
            t[at + EARLIER] = t[at + NUMBER];
            t[at + EARLIER_SENT] = t[at + SENT];
            // One above what was seen, or more: tokens follow a clock as well.
            t[at + NUMBER] = (byte) (t[at + SEEN] + holders - h);
            t[at + SENT] = ALL;
            t[at + OURS] = 0;
            t[at + LEFT]--;
            Arrays.fill(t, at + VOTES, at + ASKER, (byte) 0);
        }
        if (s[at + PHASE] == PROPOSING && isCarried(s, at, ALL)) {
            return grant(s, h, next);
        }
        return Optional.empty();
    }

    private void lock(byte[] s, int h, int i, List<byte[]> next) {
        int at = world.holder(h);
        int n = node(i);
        boolean asking = s[at + PHASE] == ASKING;
        boolean free = s[n + OWNER] == 0;
        boolean higher = asking && s[n + COUNTER] > s[at + SEEN];
        if (free || higher) {
            byte[] t = with(s, next);
            t[at + ASKED] &= (byte) ~(1 << i);
            if (free) {
                t[n + OWNER] = (byte) (h + 1);
            }
            if (asking) {
                t[at + SEEN] = (byte) Math.max(t[at + SEEN], t[n + COUNTER]);
                boolean votes = t[n + LIFE] > 0 || flaw == Flaw.UNSEEDED_VOTES;
                t[at + OURS] |= (byte) (free && votes ? 1 << i : 0);
            }
        }
    }

    private void accept(byte[] s, int h, int i, int number, boolean counts, List<byte[]> next) {
        int at = world.holder(h);
        int n = node(i);
        boolean mine = s[n + OWNER] == h + 1 || flaw == Flaw.NOT_MINE;
        boolean votes = s[n + LIFE] > 0 || flaw == Flaw.UNSEEDED_VOTES;
        boolean higher = number > s[n + COUNTER] || flaw == Flaw.NOT_HIGHER;
        if (mine && votes && higher) {
            byte[] t = with(s, next);
            t[at + (counts ? SENT : EARLIER_SENT)] &= (byte) ~(1 << i);
            t[n + COUNTER] = (byte) Math.max(number, t[n + COUNTER]);
            t[n + TOP] = (byte) Math.max(number, t[n + TOP]);
            if (t[n + OWNER] == h + 1) {
                t[n + TOKEN] = (byte) number;
            }
            if (counts && t[at + PHASE] == PROPOSING) {
                vote(t, at, i);
            }
        } else if (mine && votes && counts && s[at + PHASE] == PROPOSING && s[n + COUNTER] > s[at + SEEN]) {
            byte[] t = with(s, next);
            t[at + SENT] &= (byte) ~(1 << i);
            t[at + SEEN] = t[n + COUNTER];
        }
    }

    private static void vote(byte[] t, int at, int i) {
        int from = i * NODE;
        int to = at + VOTES + i * (1 + NODES);
        t[to] = (byte) Math.max(1, t[from + LIFE]);
        System.arraycopy(t, from + KNOWN, t, to + 1, NODES);
    }

    private Optional<String> grant(byte[] s, int h, List<byte[]> next) {
        int at = world.holder(h);
        int token = s[at + NUMBER];
        for (int other = 0; other < holders; other++) {
            int number = s[world.holder(other) + NUMBER];
            if (other == h || s[world.holder(other) + PHASE] != GRANTED) {
                continue;
            }
            if (number == token) {
                return Optional.of("token " + token + " was granted twice");
            }
            int owner = other + 1;
            long stands = IntStream.range(0, NODES)
                    .filter(i -> s[node(i) + OWNER] == owner && s[node(i) + TOKEN] == number)
                    .count();
            if (number < token && stands >= QUORUM.majority()) {
                return Optional.of("token " + token + " overtook " + number + ", which a majority still has");
            }
        }
        if (token <= s[at + BEFORE]) {
            return Optional.of("token " + token + " came after " + s[at + BEFORE]);
        }
        byte[] t = with(s, next);
        t[at + PHASE] = GRANTED;
        t[world.highest()] = (byte) Math.max(t[world.highest()], token);
        Arrays.fill(t, at + VOTES, at + ASKER, (byte) 0);
        for (int gone : new int[] {OURS, SEEN, BEFORE, LEFT, ASKED, EARLIER, EARLIER_SENT}) {
            t[at + gone] = 0;
        }
        return Optional.empty();
    }

    /** Somebody finds a node without a vote. */
    private void seed(byte[] s, int at, List<byte[]> next) {
        for (int i = 0; i < NODES; i++) {
            if (s[at + PHASE] == IDLE && s[node(i) + LIFE] == 0) {
                byte[] t = with(s, next);
                t[at + PHASE] = ASKING;
                t[at + TARGET] = (byte) i;
                t[at + ITS_NONCE] = t[node(i) + NONCE];
                t[at + NUMBER] = (byte) (1 + top(s));
                t[at + SENT] = (byte) (ALL & ~(1 << i));
            }
            if ((s[at + SENT] & 1 << i) != 0) {
                announce(s, at, i, next);
            }
        }
        int others = ALL & ~(1 << s[at + TARGET]);
        if (s[at + PHASE] == ASKING && isCarried(s, at, others)) {
            byte[] t = with(s, next);
            t[at + PHASE] = PLANTING;
            t[at + SENT] = 0;
        }
        int n = node(s[at + TARGET]);
        boolean same = s[n + NONCE] == s[at + ITS_NONCE] && s[at + NUMBER] > s[n + LIFE];
        if (s[at + PHASE] == PLANTING && same) {
            plant(with(s, next), at, n);
        }
    }

    private int top(byte[] s) {
        return IntStream.range(0, NODES).map(i -> s[node(i) + TOP]).max().orElseThrow();
    }

    private void announce(byte[] s, int at, int i, List<byte[]> next) {
        int n = node(i);
        if (s[n + LIFE] > 0 && s[at + NUMBER] > s[n + TOP]) {
            byte[] t = with(s, next);
            t[at + SENT] &= (byte) ~(1 << i);
            t[n + TOP] = t[at + NUMBER];
            if (flaw != Flaw.SEEDED_UNTOLD) {
                t[n + KNOWN + t[at + TARGET]] = t[at + NUMBER];
            }
            vote(t, at, i);
        }
    }

    private static void plant(byte[] t, int at, int n) {
        t[n + LIFE] = t[at + NUMBER];
        t[n + COUNTER] = (byte) Math.max(t[n + COUNTER], t[at + NUMBER]);
        t[n + TOP] = (byte) Math.max(t[n + TOP], t[at + NUMBER]);
        for (int i = 0; i < NODES; i++) {
            for (int k = 0; k < NODES; k++) {
                int told = t[at + VOTES + i * (1 + NODES) + 1 + k];
                t[n + KNOWN + k] = (byte) Math.max(t[n + KNOWN + k], told);
            }
        }
        Arrays.fill(t, at, at + SEEDER, (byte) 0);
        t[at + PHASE] = OVER;
    }

    private int majority() {
        return flaw == Flaw.HALF ? NODES / 2 : QUORUM.majority();
    }

    /** Whether some of the answers, which may be all that were heard, are a majority. */
    private boolean isCarried(byte[] s, int at, int among) {
        for (int heard = 1; heard <= ALL; heard++) {
            int some = heard;
            if (Integer.bitCount(some) >= majority() && (some & ~among) == 0 && isCarriedBy(s, at, some)) {
                return true;
            }
        }
        return false;
    }

    private boolean isCarriedBy(byte[] s, int at, int heard) {
        List<Standing> answers = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            int from = at + VOTES + i * (1 + NODES);
            if ((heard & 1 << i) != 0 && s[from] > 0) {
                List<Long> known = new ArrayList<>();
                for (int k = 1; k <= NODES; k++) {
                    known.add(flaw == Flaw.FORGOTTEN_VOTES ? 0L : s[from + k]);
                }
                answers.add(new Standing(i, "", s[from], 0, 0, 0, known));
            }
        }
        return QUORUM.valid(answers).size() >= majority();
    }
}
