package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LockOptions;
import io.fencedlock.LossReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

abstract class LeaseRules {

    @Test
    @SideBySide
    @Rule(
            id = "LEA-1",
            says =
                    "A lease that is not renewed MUST end at its time plus the slack declared at the latest, and then the"
                            + " next waiter gets in.")
    void lea1_leaseEndsByItself(Bench bench) {
        String name = bench.name();
        String other = bench.name();
        long asked = bench.now();
        bench.hold(bench.a().get(name, bench.unrenewed()));
        FencedLock withoutLimit = bench.a().get(other, bench.unrenewed());
        bench.keep(bench.call("acquire()", withoutLimit::acquire));
        bench.expectHeld(bench.b().get(name), "the lease has just begun");
        bench.holdWithin(
                bench.b().get(name),
                bench.expiry(bench.lease()),
                "nobody renews the lease of " + Bench.text(bench.lease()));
        Duration took = bench.since(asked);
        bench.expect(took.compareTo(bench.leases(0.5)) > 0, "the lease ended after " + Bench.text(took) + " already");
        bench.holdWithin(
                bench.b().get(other),
                bench.expiry(bench.grace()),
                "nobody renews the lease of " + Bench.text(bench.lease()) + " that acquire() gave");
    }

    @Test
    @SideBySide
    @Rule(
            id = "LEA-2",
            says = "The lease time granted MUST be the time asked for, rounded up to the granularity declared.")
    void lea2_leaseTimeAskedIsGranted(Bench bench) {
        String name = bench.name();
        Duration twice = bench.leases(2);
        long asked = bench.now();
        Lease lease = bench.hold(bench.a().get(name, LockOptions.lease(twice).withoutRenewal()));
        Duration granted = lease.grant().leaseTime();
        Duration most = twice.plus(bench.profile().leaseGranularity());
        bench.expect(
                granted.compareTo(twice) >= 0 && granted.compareTo(most) <= 0,
                "a lease of " + Bench.text(twice) + " was asked for, " + Bench.text(granted) + " are granted");
        bench.pass(bench.leases(1.4));
        bench.expectHeld(bench.b().get(name), "1.4 of 2 lease times have passed");
        bench.holdWithin(
                bench.b().get(name),
                bench.expiry(granted).minus(bench.since(asked)).plus(bench.grace()),
                "the lease of " + Bench.text(granted) + " has passed");
    }

    @Test
    @SideBySide
    @Rule(
            id = "LEA-3",
            says = "A lease MUST NOT count as valid, nor show remaining time, when the backend may already have given "
                    + "the lock to another.")
    void lea3_remainingIsPessimistic(Bench bench) {
        String name = bench.name();
        Lease lease = bench.hold(bench.a().get(name, bench.unrenewed()));
        bench.inspect(bench.b(), name).flatMap(info -> info.remaining()).ifPresent(store -> {
            Duration local = lease.remaining(); // read later, so it may only be smaller
            bench.expect(
                    local.compareTo(store.plus(Duration.ofMillis(20))) <= 0,
                    "the lease shows " + Bench.text(local) + ", the store had only " + Bench.text(store)
                            + " left before");
        });
        bench.expect(
                lease.remaining().compareTo(bench.lease()) <= 0,
                "more than the lease time remains: " + lease.remaining());
        AtomicReference<String> seen = new AtomicReference<>("");
        FencedLock next = bench.b().get(name);
        boolean granted = bench.call("waiting for the lease's end", () -> {
            boolean got = next.tryAcquire(bench.expiry(bench.lease()))
                    .map(bench::keep)
                    .isPresent();
            seen.set(lease.isValid() + " " + lease.remaining());
            return got;
        });
        bench.expect(granted, "the lease did not end");
        bench.expect(
                "false PT0S".equals(seen.get()),
                "when the next one was granted, the lease said isValid and remaining: " + seen.get());
    }

    @Test
    @SideBySide
    @Rule(id = "LEA-4", says = "Automatic renewal MUST keep a lease over many lease times.")
    void lea4_renewalKeepsTheLease(Bench bench) {
        String name = bench.name();
        Lease lease = bench.hold(bench.a(), name);
        FencedLock other = bench.b().get(name);
        for (int i = 0; i < bench.rounds(9); i++) {
            bench.pass(bench.leases(0.35));
            bench.expectHeld(
                    other, "the library renews the lease, " + (i + 1) + " x 0.35 lease times after it was granted");
            bench.expect(lease.isValid(), "the renewed lease is not valid after " + (i + 1) + " x 0.35 lease times");
        }
        bench.expect(bench.release(lease) == io.fencedlock.Release.RELEASED, "the renewed lease could not be released");
    }

    @Test
    @SideBySide
    @Rule(id = "LEA-5", says = "Nothing MUST resurrect an ended lease: no renewal in flight, no late renewal.")
    void lea5_nothingResurrectsALease(Bench bench) {
        for (int i = 0; i < bench.rounds(6); i++) {
            String name = bench.name();
            Lease lease = bench.hold(bench.a(), name);
            CompletableFuture<Void> renewal = bench.call("renewAsync()", lease::renewAsync);
            bench.release(lease);
            bench.until("the end of a renewal", bench.command().plus(bench.grace()), renewal::isDone);
            bench.expect(
                    bench.inspect(bench.b(), name).isEmpty(),
                    "the lock is held after its release, with a renewal on its way");
        }
        Lease ended = bench.hold(bench.a(), bench.name());
        bench.release(ended);
        bench.expectThrown(
                "renew() after release()",
                () -> {
                    ended.renew();
                    return true;
                },
                IllegalStateException.class,
                LeaseLostException.class);
        bench.pass(bench.leases(0.5));
        bench.expect(
                bench.tryOnce(bench.b().get(ended.grant().name().value())).isPresent(),
                "a released lock is held again half a lease time later");
    }

    @Test
    @SideBySide
    @Rule(id = "LEA-6", says = "Two leases with different lease times MUST keep each its own, also from one client.")
    void lea6_leasesKeepTheirOwnTimes(Bench bench) {
        String brief = bench.name();
        String lasting = bench.name();
        FencedLock first = bench.a().get(brief, bench.unrenewed());
        FencedLock second =
                bench.a().get(lasting, LockOptions.lease(bench.leases(4)).withoutRenewal());
        bench.hold(first);
        Lease held = bench.hold(second);
        bench.holdWithin(bench.b().get(brief), bench.expiry(bench.lease()), "the shorter lease has passed");
        bench.pass(bench.leases(0.5));
        bench.expectHeld(bench.b().get(lasting), "only the shorter of two leases of one client has passed");
        bench.expect(held.isValid(), "the longer lease ended with the shorter one");
    }

    @Test
    @SideBySide
    @Rule(id = "LEA-7", says = "An explicit renewal MUST give the lease its full time again, counted from the renewal.")
    void lea7_explicitRenewalGivesFullTime(Bench bench) {
        String name = bench.name();
        Lease lease = bench.hold(bench.a().get(name, bench.unrenewed()));
        for (int i = 0; i < 2; i++) {
            bench.pass(bench.leases(0.6));
            bench.call("renew()", () -> {
                lease.renew();
                return true;
            });
            Duration left = lease.remaining();
            bench.expect(left.compareTo(bench.leases(0.5)) > 0, "only " + Bench.text(left) + " remain after a renewal");
        }
        bench.pass(bench.leases(0.4));
        bench.expect(lease.isValid(), "the lease is not valid 0.4 lease times after its renewal");
        bench.expectHeld(bench.b().get(name), "the lease was renewed 0.4 lease times ago");
        bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "the last renewal is over");
    }

    @Test
    @SideBySide
    @Rule(
            id = "LEA-8",
            says =
                    "A lease with a longest hold time MUST end at that time, renewed or not, and its holder MUST be told.")
    void lea8_longestHoldTimeEndsTheLease(Bench bench) {
        String name = bench.name();
        Duration longest = bench.leases(1.5);
        Lease lease =
                bench.hold(bench.a().get(name, LockOptions.lease(bench.lease()).withMaxHold(longest)));
        AtomicReference<LossReason> reason = new AtomicReference<>();
        lease.onLost(reason::set);
        bench.pass(bench.leases(1.1));
        bench.expect(lease.isValid(), "the lease ended before its longest hold time");
        bench.until("the end of the longest hold time", bench.leases(0.4).plus(bench.grace()), () -> !lease.isValid());
        bench.until("telling the holder", bench.grace(), () -> reason.get() != null);
        bench.expect(reason.get() == LossReason.MAX_HOLD, "the reason told is " + reason.get());
        bench.holdWithin(bench.b().get(name), bench.command().plus(bench.grace()), "the longest hold time has passed");
    }

    @Test
    @SideBySide
    @Rule(
            id = "LEA-9",
            says =
                    "A lease past its time MUST be invalid for its holder without asking anybody: no remaining time, and "
                            + "a check throws.")
    void lea9_holderKnowsTheEndByItself(Bench bench) {
        Lease lease = bench.hold(bench.a().get(bench.name(), bench.unrenewed()));
        bench.expect(lease.isValid(), "a new lease is not valid");
        lease.ensureValid();
        bench.pass(bench.lease());
        bench.expect(!lease.isValid(), "the lease is valid after its time");
        bench.expect(lease.remaining().isZero(), lease.remaining() + " remain after its time");
        bench.expectThrown(
                "ensureValid() after the lease time",
                () -> {
                    lease.ensureValid();
                    return true;
                },
                LeaseLostException.class);
    }
}
