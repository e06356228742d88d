package io.fencedlock.redis;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendProfile;
import io.fencedlock.BackendRef;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.Liveness;
import io.fencedlock.LockClock;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Locks on Redis: each operation is one script on the server. An entry is a key with a time to live; whoever releases hands it over to the next
 * waiter in the same step. Thread-safe, never blocks but in {@link #close}.
 */
final class RedisBackend implements FencedLockBackend {

    private static final Duration FORGET_AFTER = Duration.ofMinutes(1);
    private static final CompletionStage<?> NEVER = new CompletableFuture<Void>().minimalCompletionStage();
    /** Waiters on an entry that nobody releases ask again at its end, and not all in the same millisecond. */
    private static final int SPREAD_MILLIS = 10;

    private final RedisSettings settings;
    private final Driver driver;
    private final LockClock clock;
    private final RedisKeys keys;
    private final Terms terms;
    private final RedisCommands commands;
    /** For what has to last: the same as the other, unless replicas have to confirm it. */
    private final RedisCommands durable;

    private final Renewals renewals;
    private final Wakeups wakeups;
    private final Map<HolderId, Contender> contenders = new ConcurrentHashMap<>();

    RedisBackend(RedisSettings settings, Driver driver, LockClock clock) {
        this.settings = settings;
        this.driver = driver;
        this.clock = clock;
        keys = new RedisKeys(settings.prefix());
        terms = new Terms(settings, keys.channels());
        commands = new RedisCommands(settings, driver, clock);
        durable = settings.waitReplicas() == 0
                ? commands
                : new RedisCommands(settings, driver, clock, settings.waitReplicas());
        renewals = new Renewals(durable, settings.topology() != Topology.CLUSTER);
        wakeups = new Wakeups(settings, driver, clock, terms.channel(), contenders);
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        long now = clock.nanos();
        Contender contender = contenders.computeIfAbsent(request.holder(), holder -> new Contender());
        Optional<Contender.Handed> handed = contender.handed(request.lease(), now);
        if (handed.isPresent()) {
            return CompletableFuture.completedFuture(granted(
                    request, contender, handed.get().token(), handed.get().age()));
        }
        Optional<Contender.Place> place = place(request, contender);
        Ask ask = new Ask(contender, request, place, terms);
        String[] where = place.isPresent()
                ? keys.of(request.name(), request.holder())
                : keys.butWaiters(request.name(), request.holder());
        CompletableFuture<Attempt> attempt = new CompletableFuture<>();
        var unused = durable.run(Script.ACQUIRE, where, ask).whenComplete((answer, failed) -> {
            if (!RedisErrors.isUnknown(failed)) {
                ask.settled();
            }
            if (failed == null) {
                answered(request, contender, answer, now, attempt);
            } else {
                forgetIf(contender.hasNoPlace(), request.holder(), contender);
                attempt.completeExceptionally(failed);
            }
        });
        return attempt;
    }

    /**
     * A place among the waiters is asked for only while messages are heard, and nobody listens before a lock was found held: most clients never
     * wait. Once it is had, it is kept.
     */
    private Optional<Contender.Place> place(AcquireRequest request, Contender contender) {
        if (!request.waits()) {
            return Optional.empty();
        }
        return contender
                .place()
                .or(() -> wakeups.areHeard() ? Optional.of(terms.place(request.lease())) : Optional.empty());
    }

    private void answered(
            AcquireRequest request,
            Contender contender,
            List<Object> answer,
            long askedAt,
            CompletableFuture<Attempt> attempt) {
        switch (String.valueOf(answer.get(0))) {
            case "granted" -> attempt.complete(granted(request, contender, number(answer.get(1)), Duration.ZERO));
            case "held" ->
                attempt.complete(held(request, contender, number(answer.get(1)), number(answer.get(2)), askedAt));
            default ->
                attempt.completeExceptionally(
                        new BackendUnavailableException("the acquisition was given up before", null));
        }
    }

    private Attempt granted(AcquireRequest request, Contender contender, long token, Duration age) {
        forgetIf(contender.isSettled(), request.holder(), contender);
        Duration lease = Duration.ofMillis(Terms.millis(request.lease()));
        Grant grant = new Grant(request.name(), request.holder(), token, lease, BackendRef.NONE);
        return new Attempt.Granted(
                grant, new Liveness.Timed(Terms.validFor(lease).minus(age)));
    }

    private Attempt held(AcquireRequest request, Contender contender, long token, long remainingMillis, long askedAt) {
        long longest = Terms.RECHECK.toMillis();
        long end = remainingMillis + 1 + ThreadLocalRandom.current().nextInt(SPREAD_MILLIS);
        Duration recheck = Duration.ofMillis(remainingMillis < 0 ? longest : Math.min(longest, end));
        if (request.waits()) {
            CompletionStage<?> changed = contender.held(token, askedAt);
            wakeups.listen();
            // Without a place, and the subscription has come meanwhile: the word of it may have come before we
            // listened.
            boolean mayQueueNow = contender.place().isEmpty() && wakeups.areHeard();
            return new Attempt.Held(recheck, mayQueueNow ? CompletableFuture.completedStage(null) : changed);
        }
        forgetIf(contender.isSettled(), request.holder(), contender);
        return new Attempt.Held(recheck, NEVER);
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        String millis = String.valueOf(Terms.millis(grant.leaseTime()));
        return renewals.renew(keys.lock(grant.name()), entry(grant), millis)
                .thenApply(
                        held -> held ? new Renewal.Renewed(Terms.validFor(grant.leaseTime())) : new Renewal.NotHeld());
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        @Nullable Contender contender = contenders.get(grant.holder());
        return commands.run(Script.RELEASE, keys.of(grant.name(), grant.holder()), (RedisCommands.Arguments)
                        wire -> terms.release(entry(grant), contender != null && contender.mayComeLate(wire)))
                .whenComplete((answer, failed) -> over(grant.holder(), contender, failed))
                .thenApply(RedisBackend::release);
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        @Nullable Contender contender = contenders.get(holder);
        if (contender != null) {
            contender.abandon();
        }
        return commands.run(Script.ABANDON, keys.of(name, holder), (RedisCommands.Arguments) wire ->
                        terms.abandon(holder, placeOf(contender), contender != null && contender.mayComeLate(wire)))
                .whenComplete((answer, failed) -> over(holder, contender, failed))
                .thenAccept(answer -> {
                    if (!isYes(answer)) {
                        throw new BackendUnavailableException(
                                settings.target() + " has no memory to refuse a late request with", null);
                    }
                });
    }

    private static String placeOf(@Nullable Contender contender) {
        return contender == null
                ? ""
                : contender.place().map(Contender.Place::text).orElse("");
    }

    private void over(HolderId holder, @Nullable Contender contender, @Nullable Throwable failed) {
        if (contender != null && failed == null) {
            contenders.remove(holder, contender);
        } else if (contender != null) {
            // It is tried again for about a lease time; after that nothing of it is on the server.
            clock.schedule(FORGET_AFTER.toNanos(), () -> contenders.remove(holder, contender));
        }
    }

    private void forgetIf(boolean nothingLeft, HolderId holder, Contender contender) {
        if (nothingLeft) {
            contenders.remove(holder, contender);
        }
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return commands.run(Script.INSPECT, new String[] {keys.lock(name), keys.seen(name)})
                .thenApply(answer -> answer.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Entry.parse(String.valueOf(answer.get(0)))
                                .info(number(answer.get(1)), number(answer.get(2)))));
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return commands.run(Script.RELEASE, keys.of(name, HolderId.random()), terms.release(token + ":", false))
                .thenApply(RedisBackend::release);
    }

    /** One request for all stripes, save on a Cluster, where each may be on another node. */
    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        String number = String.valueOf(floor);
        String[] counters =
                IntStream.range(0, RedisKeys.STRIPES).mapToObj(keys::counter).toArray(String[]::new);
        if (settings.topology() != Topology.CLUSTER) {
            return commands.run(Script.RAISE, counters, number).thenAccept(answer -> {});
        }
        return CompletableFuture.allOf(Stream.of(counters)
                .map(counter -> commands.run(Script.RAISE, new String[] {counter}, number))
                .toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public BackendProfile profile() {
        return RedisProfile.of(settings);
    }

    @Override
    public void close() {
        wakeups.close();
        commands.close();
        durable.close();
        driver.close();
    }

    private static String entry(Grant grant) {
        return grant.token() + ":" + grant.holder() + ":";
    }

    private static Release release(List<Object> answer) {
        return isYes(answer) ? Release.RELEASED : Release.NOT_HELD;
    }

    private static boolean isYes(List<Object> answer) {
        return number(answer.get(0)) == 1;
    }

    private static long number(Object value) {
        return Long.parseLong(String.valueOf(value));
    }
}
