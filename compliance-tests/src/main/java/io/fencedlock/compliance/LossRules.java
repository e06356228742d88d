package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

abstract class LossRules {

    @Test
    @SideBySide
    @Rule(
            id = "LOS-1",
            says = "A holder whose process runs MUST be told of the loss at most once, and before the next grant when "
                    + "the lease ends by time.")
    void los1_toldOnceBeforeTheNextGrant(Bench bench) {
        String name = bench.name();
        Lease lease = bench.hold(bench.a().get(name, bench.unrenewed()));
        AtomicInteger told = new AtomicInteger();
        lease.onLost(reason -> told.incrementAndGet());
        FencedLock next = bench.b().get(name);
        boolean stillValid = bench.call("waiting for the lease's end", () -> {
            bench.keep(next.tryAcquire(bench.expiry(bench.lease()))
                    .orElseThrow(() -> new RuleBroken("the lease did not end")));
            return lease.isValid();
        });
        bench.expect(!stillValid, "the lease was valid when the next one was granted");
        bench.until("telling the loss", bench.grace(), () -> told.get() > 0);
        bench.pass(bench.leases(1));
        bench.expect(told.get() == 1, "the loss was told " + told.get() + " times");
    }

    @Test
    @SideBySide
    @Rule(id = "LOS-2", says = "A loss MUST NOT be told after a release was asked for.")
    void los2_notToldAfterRelease(Bench bench) {
        AtomicInteger told = new AtomicInteger();
        Lease renewed = bench.hold(bench.a(), bench.name());
        Lease brief = bench.hold(bench.a().get(bench.name(), bench.unrenewed()));
        renewed.onLost(reason -> told.incrementAndGet());
        brief.onLost(reason -> told.incrementAndGet());
        bench.pass(bench.leases(0.3));
        bench.release(renewed);
        bench.call("close()", () -> {
            brief.close();
            return true;
        });
        bench.pass(bench.leases(1.3));
        bench.expect(told.get() == 0, "a loss was told after a clean release");
        bench.expect(!renewed.isValid(), "a released lease is valid");
    }

    @Test
    @SideBySide
    @Rule(id = "LOS-3", says = "Errors that pass before the lease is over MUST NOT be told as a loss.")
    void los3_passingErrorsAreNoLoss(Bench bench) {
        FencedLocks client = bench.breakable();
        String name = bench.name();
        Lease lease = bench.hold(client, name);
        AtomicInteger told = new AtomicInteger();
        lease.onLost(reason -> told.incrementAndGet());
        bench.pass(bench.leases(0.4));
        bench.controls().stall(client);
        // Longer than the time between two renewals, so that one of them falls into it.
        bench.pass(bench.leases(0.4));
        bench.controls().heal(client);
        // Without a renewal after the stall it would have ended by then.
        bench.pass(bench.leases(1.2));
        bench.expect(told.get() == 0 && lease.isValid(), "the lease was lost by a stall of 0.4 lease times");
        bench.expectHeld(bench.b().get(name), "its holder's connection was stalled for 0.4 lease times only");
    }

    @Test
    @SideBySide
    @Rule(
            id = "LOS-4",
            says = "Callbacks MUST NOT delay renewal, of the own lease or of others, however long they block.")
    void los4_blockingCallbackDelaysNothing(Bench bench) {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger entered = new AtomicInteger();
        Lease renewed = bench.hold(bench.a(), bench.name());
        for (int i = 0; i < 3; i++) {
            bench.hold(bench.a().get(bench.name(), bench.unrenewed())).onLost(reason -> {
                entered.incrementAndGet();
                awaitQuietly(end);
            });
        }
        try {
            bench.until("telling three losses to callbacks that block", bench.leases(2), () -> entered.get() == 3);
            for (int i = 0; i < 3; i++) {
                bench.pass(bench.leases(0.4)); // in all longer than a lease that is not renewed
                bench.expect(renewed.isValid(), "a lease was not renewed while callbacks of others block");
                bench.expectHeld(bench.b().get(renewed.grant().name().value()), "callbacks of other leases block");
            }
        } finally {
            end.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @SideBySide
    @Rule(
            id = "LOS-5",
            says = "When the store drops the entry of a held lock, its holder MUST be told within one renewal interval "
                    + "and a command timeout.")
    void los5_droppedEntryIsTold(Bench bench) {
        String name = bench.name();
        Lease lease = bench.hold(bench.a(), name);
        AtomicInteger told = new AtomicInteger();
        lease.onLost(reason -> told.incrementAndGet());
        Release dropped = bench.call("forceRelease", () -> bench.b().forceRelease(name, lease.token()));
        bench.expect(dropped == Release.RELEASED, "the entry could not be dropped: " + dropped);
        Duration limit = bench.leases(1.0 / 3).plus(bench.command()).plus(bench.grace());
        bench.until("telling that the store dropped the entry", limit, () -> told.get() > 0);
        bench.expect(!lease.isValid(), "the lease is valid although its loss was told");
        bench.pass(bench.leases(0.5));
        bench.expect(told.get() == 1, "the loss was told " + told.get() + " times");
        bench.expect(bench.tryOnce(bench.b().get(name)).isPresent(), "the dropped entry came back");
    }

    @Test
    @SideBySide
    @Rule(
            id = "LOS-6",
            says = "After a loss, a check and a renewal MUST throw LeaseLostException, and a release MUST be harmless.")
    void los6_lostLeaseThrows(Bench bench) {
        String name = bench.name();
        Lease lost = bench.hold(bench.a().get(name, bench.unrenewed()));
        Lease next = bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "the lease ran out");
        bench.expectThrown(
                "ensureValid() after the loss",
                () -> {
                    lost.ensureValid();
                    return true;
                },
                LeaseLostException.class);
        bench.expectThrown(
                "renew() after the loss",
                () -> {
                    lost.renew();
                    return true;
                },
                LeaseLostException.class);
        bench.release(lost);
        bench.expectHeld(bench.c().get(name), "the lost lease was checked, renewed and released");
        bench.expect(next.isValid(), "the next lease is not valid after the lost one was released");
    }

    @Test
    @SideBySide
    @Rule(id = "LOS-7", says = "A callback that is added after the loss MUST be called at once.")
    void los7_lateCallbackIsCalled(Bench bench) {
        Lease lease = bench.hold(bench.a().get(bench.name(), bench.unrenewed()));
        bench.until(
                "the end of a lease that nobody renews",
                bench.expiry(bench.lease()),
                () -> lease.lost().toCompletableFuture().isDone());
        AtomicInteger told = new AtomicInteger();
        lease.onLost(reason -> told.incrementAndGet());
        bench.until("calling a callback that was added after the loss", bench.grace(), () -> told.get() == 1);
    }
}
