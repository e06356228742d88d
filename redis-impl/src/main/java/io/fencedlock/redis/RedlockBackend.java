package io.fencedlock.redis;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockClock;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Locks on a majority of independent Redis nodes, with tokens that a majority has stored: what is known as Redlock, made safe by the two phases of
 * {@link RedlockTry} and the memory of {@link Seeding}. Thread-safe, never blocks but in {@link #close}.
 *
 * <p>Tokens are unique, and later grants have greater ones, while a majority of the nodes remembers: no clock is part of that. A
 * node counts as remembering from when it was seeded until it loses its data, which it notices itself, since all that it has to know is
 * one hash; but a node that comes back with <em>older</em> data does not notice. That at most one has the lock at a time rests on the
 * nodes' clocks and the lease times, as with any Redlock. docs/redlock.md has the assumptions and the argument.
 */
final class RedlockBackend implements FencedLockBackend {

    private static final Duration FORGET_AFTER = Duration.ofMinutes(1);

    private final RedisSettings settings;
    private final LockClock clock;
    private final RedisKeys keys;
    private final RedlockNodes nodes;
    private final RedlockEntries entries;
    private final Seeding seeding;
    private final RedlockUndo undo;
    private final ReleaseNews news;
    private final AtomicLong tries = new AtomicLong();
    private final Map<HolderId, Entrant> entrants = new ConcurrentHashMap<>();

    /** A holder that asks, waits or holds. */
    private static final class Entrant {

        private final Claimant claimant;
        private ReleaseNews.@Nullable Waiter waiter;

        private Entrant(Claimant claimant) {
            this.claimant = claimant;
        }

        private synchronized void waits(ReleaseNews.@Nullable Waiter next) {
            if (waiter != null) {
                waiter.close();
            }
            waiter = next;
        }
    }

    RedlockBackend(RedisSettings settings, LockClock clock) {
        this.settings = settings;
        this.clock = clock;
        keys = new RedisKeys(settings.prefix());
        nodes = new RedlockNodes(settings, clock, keys);
        entries = new RedlockEntries(nodes, keys);
        seeding = new Seeding(nodes, settings.tokens());
        undo = new RedlockUndo(nodes, keys, clock);
        news = new ReleaseNews(settings, nodes, keys, clock);
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        Entrant entrant = entrants.computeIfAbsent(
                request.holder(),
                holder -> new Entrant(new Claimant(nodes.quorum().size(), request.lease())));
        long number = tries.incrementAndGet();
        entrant.claimant.begin(number);
        ReleaseNews.@Nullable Waiter waiter = request.waits() ? news.enter(request.name()) : null;
        entrant.waits(waiter);
        return new RedlockTry(nodes, undo, seeding, keys, settings.tokens(), request, entrant.claimant, number)
                .run()
                .thenApply(attempt -> attempt instanceof Attempt.Held held && waiter != null
                        ? new Attempt.Held(held.recheck(), waiter.changed())
                        : attempt)
                .whenComplete((attempt, failed) -> answered(request, entrant, number, attempt, failed));
    }

    /** Who waits, holds or may have left something is remembered until it is released or abandoned. */
    private void answered(
            AcquireRequest request,
            Entrant entrant,
            long number,
            @Nullable Attempt attempt,
            @Nullable Throwable failed) {
        if (!entrant.claimant.isAt(number)) {
            return;
        }
        boolean waits = attempt instanceof Attempt.Held && request.waits();
        if (!waits) {
            entrant.waits(null);
        }
        boolean nothing = attempt == null ? !RedisErrors.isUnknown(failed) : attempt instanceof Attempt.Held && !waits;
        if (nothing) {
            entrants.remove(request.holder(), entrant);
        }
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        String[] where = {keys.lock(grant.name())};
        String[] what = {grant.holder().value(), String.valueOf(Terms.millis(grant.leaseTime()))};
        List<CompletableFuture<Boolean>> answers =
                nodes.each(node -> nodes.run(node, Script.QUORUM_RENEW, where, (RedisCommands.Arguments) wire -> what)
                        .thenApply(answer -> answer.get(0).equals(1L)));
        return Poll.of(nodes.target(), answers, this::isDecided).thenApply(poll -> {
            if (poll.count(mine -> mine) >= nodes.quorum().majority()) {
                return new Renewal.Renewed(Terms.validFor(grant.leaseTime()));
            }
            if (isRefused(poll)) {
                return new Renewal.NotHeld();
            }
            throw poll.tooFew(nodes.target(), poll.count(mine -> mine) + " renewed");
        });
    }

    private boolean isDecided(Poll<Boolean> poll) {
        return poll.count(yes -> yes) >= nodes.quorum().majority() || isRefused(poll);
    }

    private boolean isRefused(Poll<Boolean> poll) {
        return nodes.quorum().isLost(poll.count(yes -> !yes));
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        @Nullable Entrant entrant = entrants.get(grant.holder());
        return release(grant.name(), grant.holder(), entrant, grant.leaseTime())
                .thenApply(poll -> {
                    if (poll.count(RedlockUndo.Done::released) >= nodes.quorum().majority()) {
                        return Release.RELEASED;
                    }
                    if (nodes.quorum().isLost(poll.count(done -> !done.released()))) {
                        return Release.NOT_HELD;
                    }
                    throw new OutcomeUnknownException(
                            String.valueOf(poll.tooFew(nodes.target(), "too few answered the release")
                                    .getMessage()),
                            null);
                })
                .whenComplete((found, failed) -> over(grant.holder(), entrant, failed));
    }

    /** On all nodes. Those that do not answer are asked again in the background, for as long as the entry may stand. */
    private CompletableFuture<Poll<RedlockUndo.Done>> release(
            LockName name, HolderId holder, @Nullable Entrant entrant, Duration time) {
        @Nullable Claimant claimant = entrant == null ? null : entrant.claimant;
        if (entrant != null) {
            entrant.claimant.end();
            entrant.waits(null);
        }
        List<CompletableFuture<RedlockUndo.Done>> answers =
                nodes.each(node -> undo.insist(node, name, holder, claimant, time));
        return Poll.of(
                nodes.target(),
                answers,
                poll -> isDecided(new Poll<>(
                        poll.given().stream().map(RedlockUndo.Done::released).toList(), poll.failed(), poll.open())));
    }

    private void over(HolderId holder, @Nullable Entrant entrant, @Nullable Throwable failed) {
        if (entrant != null && failed == null) {
            entrants.remove(holder, entrant);
        } else if (entrant != null) {
            // It is tried again for about a lease time; after that nothing of it is on the nodes.
            clock.schedule(FORGET_AFTER.toNanos(), () -> entrants.remove(holder, entrant));
        }
    }

    /** Done when a majority has nothing of the holder, nor can have. */
    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        @Nullable Entrant entrant = entrants.get(holder);
        if (entrant == null) {
            return CompletableFuture.completedFuture(null);
        }
        entrant.claimant.end();
        entrant.waits(null);
        List<Integer> traces = entrant.claimant.traces();
        List<CompletableFuture<Boolean>> answers = nodes.each(node -> traces.contains(node)
                ? undo.insist(node, name, holder, entrant.claimant, entrant.claimant.lease())
                        .thenApply(RedlockUndo.Done::sure)
                : CompletableFuture.completedFuture(true));
        return Poll.of(nodes.target(), answers, poll -> false)
                .thenAccept(poll -> {
                    if (poll.count(sure -> sure) < nodes.quorum().majority()) {
                        throw poll.tooFew(nodes.target(), poll.count(sure -> sure) + " took the acquisition back");
                    }
                })
                .whenComplete((done, failed) -> over(holder, entrant, failed));
    }

    /** What a majority says, or nobody. */
    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return entries.holder(name);
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return entries.holder(name, token)
                .thenCompose(holder -> holder.isEmpty()
                        ? CompletableFuture.completedFuture(Release.NOT_HELD)
                        : release(name, holder.get(), null, Terms.RECHECK)
                                .thenApply(done -> done.count(RedlockUndo.Done::released)
                                                >= nodes.quorum().majority()
                                        ? Release.RELEASED
                                        : Release.NOT_HELD));
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return raise(floor, true);
    }

    private CompletableFuture<Void> raise(long floor, boolean first) {
        List<CompletableFuture<Vote>> answers =
                nodes.each(node -> nodes.ask(node, Script.QUORUM_RAISE, String.valueOf(floor)));
        return Poll.of(nodes.target(), answers, poll -> false).thenCompose(poll -> {
            List<Standing> raised = poll.where(vote -> vote.is(Vote.Said.ACCEPTED))
                    .map(Vote::standing)
                    .toList();
            if (nodes.quorum().isCarried(raised)) {
                return CompletableFuture.completedFuture(null);
            }
            return first && poll.given().size() >= nodes.quorum().majority()
                    ? seeding.seed().thenCompose(done -> raise(floor, false))
                    : CompletableFuture.failedFuture(
                            poll.tooFew(nodes.target(), raised.size() + " raised their tokens"));
        });
    }

    @Override
    public BackendProfile profile() {
        return RedlockProfile.of(settings, nodes.quorum());
    }

    @Override
    public void close() {
        undo.close();
        news.close();
        nodes.close();
    }
}
