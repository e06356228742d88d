package io.fencedlock.redis;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendRef;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.Grant;
import io.fencedlock.Liveness;
import io.fencedlock.redis.Vote.Said;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One try to acquire on the nodes of a Redlock, in two phases. First it takes the lock on as many as it gets and learns what they
 * remember; with a majority it then has a token stored that is above all of that, and only what a majority stored is a grant. Whatever
 * does not end in one is taken back.
 */
final class RedlockTry {

    private static final int PROPOSALS = 6;
    /** When nobody had a majority. */
    private static final int SHORTEST_DELAY_MILLIS = 5;

    private static final int LONGEST_DELAY_MILLIS = 50;
    private static final int SPREAD_MILLIS = 10;

    private final RedlockNodes nodes;
    private final RedlockUndo undo;
    private final Seeding seeding;
    private final RedisKeys keys;
    private final boolean byClock;
    private final AcquireRequest request;
    private final Claimant claimant;
    private final long number;
    private final String lease;

    RedlockTry(
            RedlockNodes nodes,
            RedlockUndo undo,
            Seeding seeding,
            RedisKeys keys,
            TokenSource source,
            AcquireRequest request,
            Claimant claimant,
            long number) {
        this.nodes = nodes;
        this.undo = undo;
        this.seeding = seeding;
        this.keys = keys;
        byClock = source == TokenSource.CLOCK;
        this.request = request;
        this.claimant = claimant;
        this.number = number;
        lease = String.valueOf(Terms.millis(request.lease()));
    }

    CompletableFuture<Attempt> run() {
        return lock(true);
    }

    private CompletableFuture<Attempt> lock(boolean first) {
        String[] where = nodes.keys(keys.lock(request.name()), keys.abandoned(request.name(), request.holder()));
        String[] what = {request.holder().value(), String.valueOf(number), lease, ThisProcess.PID_AND_HOST};
        return ask(Script.QUORUM_LOCK, where, what, this::isDecided).thenCompose(poll -> locked(poll, first));
    }

    private boolean isDecided(Poll<Vote> poll) {
        return poll.count(RedlockTry::isOurs) >= majority()
                || nodes.quorum().isLost(poll.count(vote -> vote.is(Said.HELD)));
    }

    private static boolean isOurs(Vote vote) {
        return vote.is(Said.MINE) && vote.standing().votes();
    }

    private CompletableFuture<Attempt> locked(Poll<Vote> poll, boolean first) {
        if (poll.count(vote -> vote.is(Said.ABANDONED)) > 0) {
            return failed(new BackendUnavailableException("the acquisition was given up before", null));
        }
        if (poll.count(RedlockTry::isOurs) >= majority()) {
            return propose(token(poll), PROPOSALS);
        }
        boolean canVote = poll.count(vote -> vote.standing().votes()) >= majority();
        if (canVote || nodes.quorum().isLost(poll.count(vote -> vote.is(Said.HELD)))) {
            return refused(poll);
        }
        if (first && poll.given().size() >= majority()) {
            return seeding.seed().thenCompose(done -> lock(false));
        }
        return failed(poll.tooFew(
                nodes.target(), poll.count(vote -> vote.standing().votes()) + " of " + size() + " can vote"));
    }

    /** Above all that a majority remembers; or once more the one that was stored on some nodes already. */
    private long token(Poll<Vote> poll) {
        List<Standing> all = standings(poll, vote -> true);
        long top = all.stream().mapToLong(Standing::counter).max().orElseThrow();
        long own = poll.where(vote -> vote.is(Said.MINE))
                .mapToLong(Vote::token)
                .max()
                .orElse(0);
        if (own > 0 && own >= top) {
            return own;
        }
        return byClock ? Math.max(top + 1, Seeding.clock(all)) : top + 1;
    }

    private CompletableFuture<Attempt> propose(long token, int left) {
        String[] where = nodes.keys(keys.lock(request.name()));
        String[] what = {request.holder().value(), String.valueOf(token), lease};
        return ask(
                        Script.QUORUM_ACCEPT,
                        where,
                        what,
                        poll -> isCarried(poll) || accepted(poll).size() + poll.open() < majority())
                .thenCompose(poll -> proposed(token, poll, left));
    }

    private static List<Standing> accepted(Poll<Vote> poll) {
        return standings(poll, vote -> vote.is(Said.ACCEPTED));
    }

    private boolean isCarried(Poll<Vote> poll) {
        return nodes.quorum().isCarried(accepted(poll));
    }

    private CompletableFuture<Attempt> proposed(long token, Poll<Vote> poll, int left) {
        if (isCarried(poll)) {
            return CompletableFuture.completedFuture(granted(token));
        }
        long gone = poll.count(vote -> vote.is(Said.GONE));
        if (nodes.quorum().isLost(gone)) {
            return refused(poll);
        }
        if (poll.given().size() < majority() || left == 0) {
            return failed(poll.tooFew(nodes.target(), accepted(poll).size() + " stored the token"));
        }
        long highest = poll.given().stream()
                .mapToLong(vote -> vote.standing().counter())
                .max()
                .orElseThrow();
        // Another lock of the same stripe was faster; or a node lost its memory just now, and is asked again.
        boolean low = poll.count(vote -> vote.is(Said.LOW)) > 0;
        return propose(low ? Math.max(token, highest) + 1 : token, left - 1);
    }

    private Attempt granted(long token) {
        Duration time = Duration.ofMillis(Terms.millis(request.lease()));
        Grant grant = new Grant(request.name(), request.holder(), token, time, BackendRef.NONE);
        return new Attempt.Granted(grant, new Liveness.Timed(Terms.validFor(time)));
    }

    private CompletableFuture<Attempt> refused(Poll<Vote> poll) {
        Duration recheck = recheck(poll);
        return undo.attempt(request.name(), request.holder(), claimant, number)
                .thenApply(done -> new Attempt.Held(recheck, new CompletableFuture<Void>()));
    }

    private CompletableFuture<Attempt> failed(FencedLockException failure) {
        return undo.attempt(request.name(), request.holder(), claimant, number)
                .thenCompose(done -> CompletableFuture.failedFuture(failure));
    }

    /** When so many entries of the one who has a majority are over that we could have one; after a short while of chance if nobody has. */
    private Duration recheck(Poll<Vote> poll) {
        Map<String, List<Vote>> byHolder =
                poll.where(vote -> vote.is(Said.HELD)).collect(Collectors.groupingBy(Vote::holder));
        List<Vote> most = byHolder.values().stream()
                .filter(votes -> votes.size() >= majority())
                .findFirst()
                .orElse(List.of());
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (most.isEmpty()) {
            return Duration.ofMillis(random.nextInt(SHORTEST_DELAY_MILLIS, LONGEST_DELAY_MILLIS));
        }
        List<Long> ends =
                new ArrayList<>(most.stream().map(Vote::millis).sorted().toList());
        long end = ends.get(Math.max(0, majority() - (size() - ends.size()) - 1));
        Duration whole = Duration.ofMillis(end + 1 + random.nextInt(SPREAD_MILLIS));
        return end < 0 || whole.compareTo(Terms.RECHECK) > 0 ? Terms.RECHECK : whole;
    }

    private CompletableFuture<Poll<Vote>> ask(
            Script script, String[] where, String[] what, Predicate<Poll<Vote>> enough) {
        List<CompletableFuture<Vote>> answers = nodes.each(node -> {
            String[] whole = nodes.arguments(node, RedlockNodes.stripe(request.name()), what);
            Claimant.Request sent = claimant.request(node, number, whole);
            CompletableFuture<List<Object>> answer = nodes.run(node, script, where, sent);
            return nodes.vote(node, answer.whenComplete((values, failed) -> {
                        if (!RedisErrors.isUnknown(failed)) {
                            sent.settled();
                        }
                    }))
                    .whenComplete((vote, failed) -> {
                        boolean notSent = script == Script.QUORUM_LOCK && !RedisErrors.isUnknown(failed);
                        if (vote == null ? notSent : vote.leavesNothing()) {
                            claimant.nothingAt(node);
                        }
                    });
        });
        // Also those that come when enough is known: a slow node that lost its memory would never be seeded.
        var unused = Poll.of(nodes.target(), answers, poll -> false)
                .thenAccept(all -> seeding.notice(standings(all, vote -> true)));
        return Poll.of(nodes.target(), answers, enough)
                .thenCompose(poll -> claimant.isAt(number)
                        ? CompletableFuture.completedFuture(poll)
                        : CompletableFuture.failedFuture(
                                new BackendUnavailableException("this try was given up for another one", null)));
    }

    private static List<Standing> standings(Poll<Vote> poll, Predicate<Vote> which) {
        return poll.where(which).map(Vote::standing).toList();
    }

    private int majority() {
        return nodes.quorum().majority();
    }

    private int size() {
        return nodes.quorum().size();
    }
}
