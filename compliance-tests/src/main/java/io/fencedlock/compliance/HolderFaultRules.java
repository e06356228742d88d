package io.fencedlock.compliance;

import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.LockOptions;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

abstract class HolderFaultRules {

    @Test
    @SideBySide
    @Rule(
            id = "FLT-1",
            says = "When a holder's process is paused beyond its lease, the next one MUST get in with a greater token, "
                    + "and the paused one's later write MUST be refused.")
    void flt1_pausedHolderIsFencedOff(Bench bench) {
        String name = bench.name();
        HolderProcess holder = bench.holderProcess();
        FencedRegister register = bench.register();
        String resource = bench.resource();
        FenceMark first = bench.call("a holder process's acquire", () -> holder.acquire(name));
        bench.expect(holder.write(resource, "by first"), "the holder's write was refused");
        holder.pause();
        Lease second =
                bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "its holder's process is paused");
        bench.expect(
                second.token() > first.token(),
                "the next token is " + second.token() + ", the paused one has " + first.token());
        bench.call("write of the next holder", () -> {
            register.write(resource, second.mark(), "by second");
            return true;
        });
        holder.resume();
        bench.expect(!holder.write(resource, "stale"), "the write of the paused holder was accepted when it woke up");
        Optional<String> value = bench.call("read", () -> register.read(resource));
        bench.expect(value.equals(Optional.of("by second")), "after the stale write the value is " + value);
        bench.expect(!holder.isValid(), "the paused holder takes its lease as valid when it woke up");
        bench.until("telling the paused holder", bench.leases(1), () -> holder.lossesTold() > 0);
        bench.expect(second.isValid(), "the next holder lost its lease when the paused one woke up");
    }

    @Test
    @SideBySide
    @Rule(
            id = "FLT-2",
            says = "When a holder's process is killed, the next one MUST get in within the lease time plus the slack "
                    + "declared.")
    void flt2_killedHolderIsReplaced(Bench bench) {
        String name = bench.name();
        HolderProcess holder = bench.holderProcess();
        FenceMark first = bench.call("a holder process's acquire", () -> holder.acquire(name));
        holder.kill();
        Lease next =
                bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "its holder's process was killed");
        bench.expect(
                next.token() > first.token(),
                "the next token is " + next.token() + ", the killed one had " + first.token());
    }

    @Test
    @SideBySide
    @Rule(
            id = "FLT-3",
            says =
                    "A holder that is cut off MUST be told before the next grant, and after the cut is healed the client "
                            + "MUST work again.")
    void flt3_cutOffHolderIsToldFirst(Bench bench) {
        FencedLocks client = bench.breakable();
        String name = bench.name();
        Lease lease = bench.hold(client, name);
        AtomicInteger told = new AtomicInteger();
        lease.onLost(reason -> told.incrementAndGet());
        bench.controls().stall(client);
        FencedLock next = bench.b().get(name);
        boolean stillValid = bench.call("waiting for a cut-off holder's lease", () -> {
            bench.keep(next.tryAcquire(bench.expiry(bench.lease()))
                    .orElseThrow(() -> new RuleBroken("the lease of a cut-off holder did not end")));
            return lease.isValid();
        });
        bench.expect(!stillValid, "the cut-off holder's lease was valid when the next one was granted");
        bench.until("telling the cut-off holder", bench.grace(), () -> told.get() == 1);
        bench.controls().heal(client);
        works(bench, client, "the cut was healed");
    }

    /** A client that was broken recovers by itself. */
    static void works(Bench bench, FencedLocks client, String after) {
        FencedLock lock = client.get(bench.name());
        boolean[] granted = new boolean[1];
        bench.until("granting a free lock after " + after, Duration.ofSeconds(15), () -> {
            Pending<Optional<Lease>> pending = bench.await(bench.starting(lock, bench.command()));
            granted[0] = pending.thrown() == null && pending.result().isPresent();
            return granted[0];
        });
    }

    @Test
    @SideBySide
    @Rule(
            id = "FLT-4",
            says =
                    "When the reply to an acquisition is lost, it MUST end as one grant or none, and no entry without an "
                            + "owner may stay.")
    void flt4_lostReplyToAcquire(Bench bench) {
        for (int i = 0; i < bench.rounds(2); i++) {
            FencedLocks client = bench.breakable();
            works(bench, client, "it was opened");
            String name = bench.name();
            FencedLock lock = lasting(bench, client, name);
            bench.controls().loseNextReply(client);
            Pending<Optional<Lease>> pending =
                    bench.await(bench.starting(lock, bench.command().multipliedBy(3)));
            boolean granted = pending.thrown() == null && pending.result().isPresent();
            if (granted) {
                Lease lease = pending.result().orElseThrow();
                bench.expectHeld(bench.b().get(name), "it was granted in spite of a lost reply");
                bench.expect(
                        bench.inspect(bench.b(), name).map(info -> info.token()).equals(Optional.of(lease.token())),
                        "the store shows another token than the lease's " + lease.token());
                bench.release(lease);
            } else {
                bench.expect(
                        pending.thrown() instanceof OutcomeUnknownException
                                || pending.thrown() instanceof BackendUnavailableException,
                        () -> "with a lost reply, " + pending.what() + " ended with " + pending.thrown());
            }
            Duration soon = bench.command().multipliedBy(3).plus(bench.grace().multipliedBy(2));
            bench.holdWithin(
                    bench.b().get(name), soon, granted ? "it was released" : "the acquire whose reply was lost failed");
        }
    }

    /** An entry that nobody owns must stand longer than the rule waits: on a session it does. */
    private static FencedLock lasting(Bench bench, FencedLocks client, String name) {
        return bench.profile().leaseScope() == LeaseScope.PER_LOCK
                ? client.get(name, LockOptions.lease(bench.leases(6)).withoutRenewal())
                : client.get(name);
    }

    @Test
    @SideBySide
    @Rule(
            id = "FLT-5",
            says = "When the reply to a release is lost, the lock MUST become free without waiting for its expiry, and "
                    + "the answer MUST NOT claim a loss.")
    void flt5_lostReplyToRelease(Bench bench) {
        FencedLocks client = bench.breakable();
        String name = bench.name();
        Lease lease = bench.hold(client.get(name, LockOptions.lease(bench.leases(6))));
        bench.controls().loseNextReply(client);
        Release answer = bench.release(lease);
        bench.expect(answer != Release.NOT_HELD, "the release whose reply was lost was answered NOT_HELD");
        Duration soon = bench.command().multipliedBy(3).plus(bench.grace().multipliedBy(2));
        bench.holdWithin(bench.b().get(name), soon, "it was released, only the reply was lost");
    }

    @Test
    @SideBySide
    @Rule(
            id = "FLT-6",
            says =
                    "When connections are killed while a lock is held, the lease MUST live on, and the queue MUST drain.")
    void flt6_killedConnectionsLoseNothing(Bench bench) {
        // The rule is about connections, not about time: a driver may take a second to connect again.
        Duration roomy = bench.lease().multipliedBy(2);
        FencedLocks holding = bench.breakable(roomy);
        FencedLocks waiting = bench.breakable(roomy);
        works(bench, waiting, "it was opened");
        String name = bench.name();
        Lease lease = bench.hold(holding, name);
        AtomicInteger told = new AtomicInteger();
        lease.onLost(reason -> told.incrementAndGet());
        Pending<Optional<Lease>> waiter = bench.starting(waiting.get(name), bench.leases(8));
        for (FencedLocks client : List.of(holding, waiting, holding, waiting)) {
            bench.pass(bench.leases(0.3));
            bench.controls().kill(client);
        }
        bench.pass(bench.leases(0.5));
        bench.expect(told.get() == 0 && lease.isValid(), "the lease was lost when connections were killed");
        bench.expect(!waiter.done(), "the waiter returned when connections were killed");
        bench.pass(bench.leases(0.2));
        bench.release(lease);
        long released = bench.now();
        bench.expect(
                bench.await(waiter).result().isPresent(), "a waiter whose connection was killed was never granted");
        Duration took = Duration.ofNanos(waiter.endedAt() - released);
        Duration most = bench.profile().recheck().plus(bench.command()).plus(bench.grace());
        bench.expect(took.compareTo(most) <= 0, "the waiter got in " + Bench.text(took) + " after the release");
    }

    @Test
    @SideBySide
    @Rule(
            id = "FLT-7",
            says = "With an unresponsive server every call MUST still return within its wait plus one command timeout, "
                    + "with an exception that says whether it may have happened.")
    void flt7_silentServerBoundsCalls(Bench bench) {
        FencedLocks client = bench.breakable();
        works(bench, client, "it was opened");
        Lease lease = bench.hold(client, bench.name());
        bench.controls().stall(client);
        Pending<Release> release = bench.await(bench.start("release()", lease::release));
        bench.expect(release.thrown() == null, () -> "release() threw " + release.thrown() + " with a silent server");
        bench.expect(
                release.result() == Release.UNKNOWN,
                () -> "release() answered " + release.result() + " with a silent server");
        bench.expect(
                release.took().compareTo(bench.command().plus(bench.grace())) <= 0,
                "release() took " + Bench.text(release.took()));
        Duration wait = Duration.ofMillis(200);
        bounded(bench, bench.start("tryAcquire()", client.get(bench.name())::tryAcquire), Duration.ZERO);
        bounded(bench, bench.starting(client.get(bench.name()), wait), wait);
        bounded(bench, bench.start("inspect()", () -> client.inspect(bench.name())), Duration.ZERO);
    }

    private static void bounded(Bench bench, Pending<?> call, Duration wait) {
        bench.await(call);
        bench.expect(
                call.thrown() instanceof OutcomeUnknownException
                        || call.thrown() instanceof BackendUnavailableException,
                () -> call.what() + " with a silent server ended with " + call.thrown());
        Duration limit = wait.plus(bench.command()).plus(bench.grace());
        bench.expect(
                call.took().compareTo(limit) <= 0,
                call.what() + " took " + Bench.text(call.took()) + " with a silent server, " + Bench.text(limit)
                        + " are allowed");
    }
}
