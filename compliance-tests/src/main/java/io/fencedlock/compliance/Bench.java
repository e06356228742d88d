package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderInfo;
import io.fencedlock.Lease;
import io.fencedlock.LockOptions;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What a rule works with: clients, names, calls that cannot hang the run, and time. Cleans up after the rule. */
final class Bench implements AutoCloseable {

    private static final int TRIES = 3;
    private static final Duration LONGEST_CALL = Duration.ofSeconds(20);
    private static final Duration LONGEST_COMMAND = Duration.ofSeconds(1);

    private final Suite suite;
    private final String rule;
    private final Pace pace;
    private final Random random;
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
    private final List<String> resources = new ArrayList<>();
    private int names;

    Bench(Suite suite, String rule) {
        this.suite = suite;
        this.rule = rule;
        pace = suite.target.pace();
        random = new Random(suite.settings.seed() ^ rule.hashCode());
    }

    BackendProfile profile() {
        return suite.profile();
    }

    Controls controls() {
        return suite.target.controls();
    }

    Random random() {
        return random;
    }

    Settings settings() {
        return suite.settings;
    }

    /** So many rounds in a quick run, more in a longer one. */
    int rounds(int quick) {
        return quick * suite.settings.profile().factor();
    }

    FencedLocks a() {
        return suite.client(0);
    }

    FencedLocks b() {
        return suite.client(1);
    }

    FencedLocks c() {
        return suite.client(2);
    }

    /** All that the rules share. */
    List<FencedLocks> shared() {
        return List.of(a(), b(), c());
    }

    /** Makes a store that is thrown away forget its tokens, and all clients with it. */
    void forgetTokens() {
        suite.closeClients();
        try {
            controls().loseCounter();
        } catch (ControlMissing | NotApplicable e) {
            // then no rule after this one can lose it either
        }
    }

    /** A client for this rule alone. */
    FencedLocks fresh() {
        return keep(call("opening a client", () -> suite.open(lease())));
    }

    FencedLocks breakable() {
        return breakable(lease());
    }

    FencedLocks breakable(Duration lease) {
        FencedLocks client = keep(call("opening a client", () -> controls().openBreakable(lease)));
        keep(() -> controls().heal(client));
        return client;
    }

    FencedRegister register() {
        return keep(suite.target
                .openRegister()
                .orElseThrow(() -> new NotApplicable("the target's store has no fenced register")));
    }

    /** Opens a client as a user does who configures it. */
    FencedLocks open(Configured configured) {
        return suite.target instanceof Configured.Opener opener ? opener.open(configured) : configured.open();
    }

    FencedLockBackend backend() {
        return keep(suite.target
                .openBackend()
                .orElseThrow(() -> new NotApplicable("the target gives no access to a backend of the SPI")));
    }

    String url() {
        return suite.target.url().orElseThrow(() -> new NotApplicable("the target is not opened by a URL"));
    }

    HolderProcess holderProcess() {
        return keep(call("starting a holder process", () -> controls().startHolder(lease())));
    }

    <T extends AutoCloseable> T keep(T opened) {
        synchronized (toClose) {
            toClose.push(opened);
        }
        return opened;
    }

    /** A lock name that nobody else uses. */
    String name() {
        return suite.id + "-" + rule + "-" + ++names;
    }

    /** A resource that is removed after the rule. */
    String resource() {
        String resource = name();
        resources.add(resource);
        return resource;
    }

    Duration lease() {
        return suite.lease();
    }

    /** A lease time of so many standard ones. */
    Duration leases(double count) {
        return Duration.ofNanos((long) (lease().toNanos() * count));
    }

    /** Ends by itself unless renewed by its holder. */
    LockOptions unrenewed() {
        return LockOptions.lease(lease()).withoutRenewal();
    }

    Duration grace() {
        return suite.scaled(pace.grace());
    }

    /** A client's default: a third of the lease, at most a second. */
    Duration command() {
        Duration third = lease().dividedBy(3);
        return third.compareTo(LONGEST_COMMAND) < 0 ? third : LONGEST_COMMAND;
    }

    /** When a lease that nobody renews any more must be free for the next, counted from its last renewal. */
    Duration expiry(Duration lease) {
        return lease.plus(suite.scaled(profile().expirySlack())).plus(grace());
    }

    long now() {
        return pace.nanos();
    }

    Duration since(long nanos) {
        return Duration.ofNanos(pace.nanos() - nanos);
    }

    void pass(Duration time) {
        long end = pace.nanos() + time.toNanos();
        while (pace.nanos() < end) {
            pace.tick();
        }
    }

    <T> Pending<T> start(String what, Callable<T> call) {
        return suite.workers.start(what, pace, call);
    }

    <T> T call(String what, Callable<T> call) {
        return await(start(what, call)).result();
    }

    /** Waits for a call to end, one way or another. */
    <T> Pending<T> await(Pending<T> pending) {
        return await(pending, suite.scaled(LONGEST_CALL));
    }

    /** Waits for a call that does all {@link #rounds} by itself, or cleans up after them. */
    <T> Pending<T> awaitRounds(Pending<T> pending) {
        return await(pending, suite.scaled(LONGEST_CALL.multipliedBy(rounds(1))));
    }

    <T> Pending<T> await(Pending<T> pending, Duration limit) {
        long end = pace.nanos() + limit.toNanos();
        while (!pending.done()) {
            if (pace.nanos() > end && !pace.lastLook(pending::done)) {
                String stack = pending.stack();
                pending.interrupt();
                throw new RuleBroken(pending.what() + " had not returned after " + text(limit) + stack);
            }
            pace.tick();
        }
        return pending;
    }

    void until(String what, Duration limit, BooleanSupplier condition) {
        long end = pace.nanos() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (pace.nanos() > end && !pace.lastLook(condition)) {
                throw new RuleBroken(what + ": had not happened after " + text(limit));
            }
            pace.tick();
        }
    }

    Optional<Lease> tryOnce(FencedLock lock) {
        Optional<Lease> lease = call("tryAcquire() of " + lock.name(), lock::tryAcquire);
        lease.ifPresent(this::keep);
        return lease;
    }

    Optional<Lease> tryFor(FencedLock lock, Duration wait) {
        return await(starting(lock, wait)).result();
    }

    Pending<Optional<Lease>> starting(FencedLock lock, Duration wait) {
        return start("tryAcquire(" + text(wait) + ") of " + lock.name(), () -> {
            Optional<Lease> lease = lock.tryAcquire(wait);
            lease.ifPresent(this::keep);
            return lease;
        });
    }

    /**
     * Acquires a free lock. A rule begins with this and is not about it: a store, or a machine, that is too slow for a moment is asked
     * again, and by then the attempt that was not answered has to be undone.
     */
    Lease hold(FencedLock lock) {
        Duration limit = command().plus(grace());
        for (int tries = 1; tries < TRIES; tries++) {
            try {
                return granted(lock, limit);
            } catch (OutcomeUnknownException | BackendUnavailableException slow) {
                limit = expiry(lease()).plus(grace());
            }
        }
        return granted(lock, limit);
    }

    private Lease granted(FencedLock lock, Duration limit) {
        return tryFor(lock, limit)
                .orElseThrow(() -> new RuleBroken("lock " + lock.name() + " was not granted although nobody holds it"));
    }

    Lease hold(FencedLocks client, String name) {
        return hold(client.get(name));
    }

    /** Acquires a lock that becomes free in a while. */
    Lease holdWithin(FencedLock lock, Duration limit, String why) {
        return tryFor(lock, limit)
                .orElseThrow(
                        () -> new RuleBroken(why + ": lock " + lock.name() + " was not granted within " + text(limit)));
    }

    void expectHeld(FencedLock lock, String why) {
        tryOnce(lock).ifPresent(lease -> {
            throw new RuleBroken(why + ": yet lock " + lock.name() + " was granted again, with token " + lease.token());
        });
    }

    io.fencedlock.Release release(Lease lease) {
        return call("release() of " + lease.grant().name(), lease::release);
    }

    Optional<HolderInfo> inspect(FencedLocks client, String name) {
        return call("inspect(" + name + ")", () -> client.inspect(name));
    }

    void expect(boolean held, String observed) {
        if (!held) {
            throw new RuleBroken(observed);
        }
    }

    void expect(boolean held, Supplier<String> observed) {
        if (!held) {
            throw new RuleBroken(observed.get());
        }
    }

    /** Runs a call that must throw one of some exceptions. */
    Throwable expectThrown(String what, Callable<?> call, Class<?>... allowed) {
        Pending<?> pending = await(start(what, call));
        Throwable thrown = pending.thrown();
        for (Class<?> type : allowed) {
            if (type.isInstance(thrown)) {
                return thrown;
            }
        }
        if (thrown instanceof UnsupportedOperationException unsupported) {
            throw unsupported;
        }
        String names = Arrays.stream(allowed).map(Class::getSimpleName).toList().toString();
        throw new RuleBroken(
                what + " must throw one of " + names + ", but " + (thrown == null ? "returned" : "threw " + thrown),
                thrown);
    }

    /** Goes on only if the profile declares it, or disclaims the rule: then it is run all the same. */
    void requireSurvival(TokenSurvival what) {
        if (!profile().tokenSurvives().contains(what) && !profile().disclaims().containsKey(rule)) {
            throw new NotApplicable("the profile does not declare that tokens survive " + what);
        }
    }

    static String text(Duration time) {
        return time.toMillis() + " ms";
    }

    /** Whatever the rule has broken is healed by the hooks' own close; what it holds is released. */
    @Override
    public void close() {
        if (!resources.isEmpty()) {
            suite.target.openRegister().ifPresent(register -> {
                resources.forEach(register::remove);
                register.close();
            });
        }
        Pending<Boolean> closing = start("clean-up", () -> {
            synchronized (toClose) {
                for (AutoCloseable opened : toClose) {
                    opened.close();
                }
            }
            return true;
        });
        awaitRounds(closing);
    }
}
