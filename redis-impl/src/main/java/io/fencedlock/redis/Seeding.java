package io.fencedlock.redis;

import io.fencedlock.FencedLockException;
import io.fencedlock.redis.Vote.Said;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a vote to nodes that lost their memory, or never had one.
 *
 * <p>A majority of the others first learns of the new life, a number above all that they accepted; so it sees through any vote that the node
 * gave before, and the node begins above whatever it may have forgotten. Where no majority remembers, nothing is done until
 * every node answers: then those without memory begin at the clock, as on the very first day. One at a time for each client. Thread-safe.
 */
final class Seeding {

    private static final Logger LOG = LoggerFactory.getLogger(Seeding.class);

    private final RedlockNodes nodes;
    private final boolean byClock;
    private CompletableFuture<Void> current = CompletableFuture.completedFuture(null);

    Seeding(RedlockNodes nodes, TokenSource source) {
        this.nodes = nodes;
        byClock = source == TokenSource.CLOCK;
    }

    /** Looks after a node whose answers show that it has no vote. */
    void notice(Collection<Standing> answers) {
        boolean needed = answers.stream().anyMatch(one -> isDue(one, answers));
        if (needed) {
            var unused = seed();
        }
    }

    private static boolean isDue(Standing one, Collection<Standing> answers) {
        return !one.votes() || answers.stream().anyMatch(other -> other.known().get(one.node()) > one.life());
    }

    /** Seeds what can be seeded; completes normally in any case. */
    CompletableFuture<Void> seed() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        synchronized (this) {
            if (!current.isDone()) {
                return current;
            }
            current = mine;
        }
        var unused = look().thenCompose(this::seed).whenComplete((done, failed) -> {
            if (failed != null) {
                LOG.warn("nodes of the {} could not be seeded: {}", nodes.target(), RedisErrors.reason(failed));
            }
            mine.complete(null);
        });
        return mine;
    }

    private CompletableFuture<Poll<Vote>> look() {
        return Poll.of(nodes.target(), nodes.each(node -> nodes.ask(node, Script.QUORUM_LOOK)), poll -> false);
    }

    private CompletableFuture<Void> seed(Poll<Vote> poll) {
        List<Standing> seen = poll.given().stream().map(Vote::standing).toList();
        List<Standing> due = seen.stream().filter(one -> isDue(one, seen)).toList();
        if (nodes.quorum().isCarried(seen)) {
            CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
            for (Standing one : due) {
                done = done.thenCompose(before -> remember(one, seen));
            }
            return done;
        }
        if (!poll.failed().isEmpty()) {
            return CompletableFuture.failedFuture(tooFew(poll, seen));
        }
        LOG.info("{} of the {} nodes of the {} begin without memory", due.size(), seen.size(), nodes.target());
        return begin(due, seen);
    }

    private FencedLockException tooFew(Poll<Vote> poll, List<Standing> seen) {
        int remembering = nodes.quorum().valid(seen).size();
        return poll.tooFew(
                nodes.target(), remembering + " remember their tokens, and all others have to answer to begin without");
    }

    /** From the others' memory. */
    private CompletableFuture<Void> remember(Standing one, List<Standing> seen) {
        long life = 1 + tops(seen).max().orElseThrow();
        String[] words = {String.valueOf(one.node() + 1), String.valueOf(life)};
        List<CompletableFuture<Vote>> others = nodes.all()
                .filter(node -> node != one.node())
                .mapToObj(node -> nodes.ask(node, Script.QUORUM_ANNOUNCE, words))
                .toList();
        return Poll.of(nodes.target(), others, poll -> false).thenCompose(poll -> {
            List<Standing> told = poll.where(vote -> vote.is(Said.ACCEPTED))
                    .map(Vote::standing)
                    .toList();
            if (!nodes.quorum().isCarried(told)) {
                return CompletableFuture.failedFuture(
                        poll.tooFew(nodes.target(), told.size() + " others took note of the new life of one"));
            }
            return plant(one, life, life, nodes.quorum().valid(told));
        });
    }

    /** Without memory: from the clock of most, and above whatever is remembered. */
    private CompletableFuture<Void> begin(List<Standing> due, List<Standing> seen) {
        long top = tops(seen).max().orElseThrow();
        long base = byClock ? Math.max(top, clock(seen)) : top;
        return CompletableFuture.allOf(
                due.stream().map(one -> plant(one, base + 1, base, seen)).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> plant(Standing one, long life, long base, List<Standing> from) {
        Stream<Long> known = nodes.all()
                .mapToObj(node -> from.stream()
                        .mapToLong(other -> other.known().get(node))
                        .max()
                        .orElse(0));
        String[] words = Stream.concat(
                        Stream.of(one.nonce(), String.valueOf(life), String.valueOf(base)), known.map(String::valueOf))
                .toArray(String[]::new);
        return nodes.ask(one.node(), Script.QUORUM_SEED, words).thenAccept(vote -> {
            if (vote.is(Said.ACCEPTED)) {
                LOG.info(
                        "Redis at {} votes from number {} on", nodes.endpoints().get(one.node()), life);
            }
        });
    }

    private static LongStream tops(List<Standing> standings) {
        return standings.stream().mapToLong(Standing::top);
    }

    /** In the middle of those of the nodes, so that one that is wrong moves nothing. */
    static long clock(List<Standing> standings) {
        return standings.stream()
                .mapToLong(Standing::micros)
                .sorted()
                .skip((standings.size() - 1) / 2)
                .findFirst()
                .orElseThrow();
    }
}
