package io.fencedlock.compliance;

import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

abstract class WaitingRules {

    private static final Duration SHORT = Duration.ofMillis(200);

    @Test
    @Rule(
            id = "WAI-1",
            says = "A try with a longest wait MUST return within that wait plus one command timeout, and a try without "
                    + "wait MUST NOT wait for a holder.")
    void wai1_waitIsBounded(Bench bench) {
        String name = bench.name();
        bench.hold(bench.a(), name);
        List<Pending<Optional<Lease>>> tries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tries.add(bench.start("tryAcquire()", bench.b().get(name)::tryAcquire));
            tries.add(bench.starting(bench.b().get(name), SHORT));
        }
        for (Pending<Optional<Lease>> pending : tries) {
            bench.expect(bench.await(pending).result().isEmpty(), "a held lock was granted");
            Duration limit = bench.command().plus(bench.grace());
            limit = pending.what().equals("tryAcquire()") ? limit : limit.plus(SHORT);
            bench.expect(
                    pending.took().compareTo(limit) <= 0,
                    pending.what() + " of a held lock took " + Bench.text(pending.took()) + ", " + Bench.text(limit)
                            + " are allowed");
        }
        Duration waited = tries.get(1).took();
        bench.expect(
                waited.compareTo(SHORT.minusMillis(20)) >= 0, "tryAcquire(200 ms) gave up after " + Bench.text(waited));
    }

    @Test
    @SideBySide
    @Rule(
            id = "WAI-2",
            says = "A waiter that timed out, was interrupted or was cancelled MUST leave nothing behind and MUST NOT "
                    + "acquire later.")
    void wai2_whoGaveUpLeavesNothing(Bench bench) {
        List<String> freed = new ArrayList<>();
        for (int i = 0; i < bench.rounds(3); i++) {
            String name = bench.name();
            freed.add(name);
            Lease holder = bench.hold(bench.a(), name);
            FencedLock waiter = bench.b().get(name);
            Pending<Optional<Lease>> timedOut =
                    bench.starting(waiter, Duration.ofMillis(50 + bench.random().nextInt(100)));
            Pending<Lease> interrupted = bench.start("acquire()", waiter::acquire);
            CompletableFuture<Lease> cancelled = bench.call("acquireAsync()", waiter::acquireAsync);
            bench.await(timedOut);
            bench.pass(Duration.ofMillis(50 + bench.random().nextInt(100)));
            interrupted.interrupt();
            cancelled.cancel(true);
            bench.await(interrupted);
            bench.release(holder);
            Lease next = bench.holdWithin(
                    bench.c().get(name), bench.command().plus(bench.grace()), "all other waiters gave up");
            bench.release(next);
        }
        bench.pass(bench.profile().recheck().plus(bench.grace()));
        freed.forEach(name -> bench.inspect(bench.c(), name).ifPresent(info -> {
            throw new RuleBroken("a waiter that had given up got the lock later: " + info);
        }));
        giveUpWhileFreed(bench);
    }

    /** Given up in the very moment of the release: granted or not, the lock must be free soon. */
    private static void giveUpWhileFreed(Bench bench) {
        for (int i = 0; i < bench.rounds(5); i++) {
            String name = bench.name();
            Lease holder = bench.hold(bench.a(), name);
            CompletableFuture<Lease> waiting =
                    bench.call("acquireAsync()", bench.b().get(name)::acquireAsync);
            bench.pass(Duration.ofMillis(20));
            Pending<?> release = bench.start("release()", holder::release);
            boolean cancelled = waiting.cancel(true);
            bench.await(release);
            if (!cancelled) {
                bench.release(waiting.join()); // granted before it could be cancelled
            }
            bench.holdWithin(bench.c().get(name), bench.command().plus(bench.grace()), "the only waiter was cancelled");
        }
    }

    @Test
    @Rule(
            id = "WAI-3",
            says = "A release MUST wake a waiter without polling delay; when the wake-up is lost, the waiter MUST ask "
                    + "again within the re-check time declared.")
    void wai3_releaseWakesTheWaiter(Bench bench) {
        String name = bench.name();
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Lease lease = bench.hold(bench.a(), name);
            Pending<Optional<Lease>> waiter = bench.starting(bench.b().get(name), bench.leases(3));
            bench.pass(Duration.ofMillis(150 + bench.random().nextInt(300)));
            bench.expect(!waiter.done(), "a waiter returned while the lock was held");
            bench.release(lease);
            long released = bench.now();
            Lease next =
                    bench.await(waiter).result().orElseThrow(() -> new RuleBroken("a waiter was not woken at all"));
            delays.add(Duration.ofNanos(Math.max(0, waiter.endedAt() - released)));
            bench.release(next);
        }
        delays.sort(null);
        Duration most = bench.profile().recheck().plus(bench.command()).plus(bench.grace());
        bench.expect(
                delays.get(4).compareTo(most) <= 0,
                "a waiter got in " + Bench.text(delays.get(4)) + " after the release");
        bench.expect(
                delays.get(2).compareTo(bench.grace().dividedBy(2)) <= 0,
                "half of the waiters got in " + Bench.text(delays.get(2)) + " after the release or later: they poll");
    }

    @Test
    @SideBySide
    @Rule(
            id = "WAI-4",
            says = "A waiter that dies MUST delay the next one by no more than its lease time plus the slack declared.")
    void wai4_deadWaiterDelaysByItsLeaseAtMost(Bench bench) {
        String name = bench.name();
        HolderProcess dying = bench.holderProcess();
        Lease holder = bench.hold(bench.a(), name);
        bench.call("a holder process's wait", () -> {
            dying.startWaiting(name);
            return true;
        });
        bench.pass(Duration.ofMillis(300));
        dying.kill();
        Pending<Optional<Lease>> next = bench.starting(bench.b().get(name), bench.leases(5));
        bench.pass(Duration.ofMillis(100));
        bench.release(holder);
        long released = bench.now();
        bench.expect(bench.await(next).result().isPresent(), "the waiter behind a dead one was never granted");
        Duration took = Duration.ofNanos(next.endedAt() - released);
        Duration most = bench.expiry(bench.lease()).plus(bench.profile().recheck());
        bench.expect(took.compareTo(most) <= 0, "a dead waiter delayed the next one by " + Bench.text(took));
    }

    @Test
    @SideBySide
    @Rule(id = "WAI-5", says = "Where the profile declares FIFO, grants MUST follow the order of arrival.")
    void wai5_grantsFollowArrival(Bench bench) {
        if (bench.profile().queueOrder() != QueueOrder.FIFO) {
            throw new NotApplicable("the profile declares no order of the queue");
        }
        String name = bench.name();
        Lease holder = bench.hold(bench.a(), name);
        List<Pending<Optional<Lease>>> queue = new ArrayList<>();
        for (FencedLocks client : List.of(bench.b(), bench.c(), bench.a(), bench.b())) {
            queue.add(bench.starting(client.get(name), bench.leases(8)));
            bench.pass(bench.grace().dividedBy(2));
        }
        bench.release(holder);
        for (int i = 0; i < queue.size(); i++) {
            Lease lease = bench.await(queue.get(i), bench.leases(2))
                    .result()
                    .orElseThrow(() -> new RuleBroken("a waiter was not granted"));
            bench.pass(Duration.ofMillis(50));
            long overtaken = queue.subList(i + 1, queue.size()).stream()
                    .filter(Pending::done)
                    .count();
            bench.expect(overtaken == 0, overtaken + " waiters got in before the one that came as number " + (i + 1));
            bench.release(lease);
        }
    }

    @Test
    @Rule(
            id = "WAI-6",
            says =
                    "An interrupted waiter MUST get an InterruptedException, promptly, also when the flag was set before "
                            + "the call.")
    void wai6_interruptionEndsTheWait(Bench bench) {
        String name = bench.name();
        bench.hold(bench.a(), name);
        Pending<Lease> waiter = bench.start("acquire()", bench.b().get(name)::acquire);
        bench.until("the begin of the wait", bench.leases(1), waiter::waiting);
        bench.pass(Duration.ofMillis(100));
        long interrupted = bench.now();
        waiter.interrupt();
        bench.expect(
                bench.await(waiter).thrown() instanceof InterruptedException,
                "an interrupted acquire() ended with " + waiter.thrown());
        Duration took = Duration.ofNanos(waiter.endedAt() - interrupted);
        bench.expect(
                took.compareTo(bench.command().plus(bench.grace())) <= 0,
                "an interrupted acquire() went on for " + Bench.text(took));
        bench.expectThrown(
                "tryAcquire() by an interrupted thread",
                () -> {
                    Thread.currentThread().interrupt();
                    return bench.b().get(bench.name()).tryAcquire();
                },
                InterruptedException.class);
    }

    @Test
    @Rule(
            id = "WAI-7",
            says = "The asynchronous forms MUST give what the blocking forms give, without blocking the caller.")
    void wai7_asynchronousFormsAgree(Bench bench) {
        String name = bench.name();
        FencedLock lock = bench.a().get(name);
        Lease first = bench.call(
                        "tryAcquireAsync()", () -> lock.tryAcquireAsync().get())
                .orElseThrow(() -> new RuleBroken("tryAcquireAsync() did not grant a free lock"));
        bench.expect(
                bench.call(
                                "tryAcquireAsync()",
                                () -> bench.b().get(name).tryAcquireAsync().get())
                        .isEmpty(),
                "tryAcquireAsync() granted a held lock");
        Pending<CompletableFuture<Lease>> asking = bench.await(
                bench.start("acquireAsync()", () -> bench.b().get(name).acquireAsync()));
        bench.expect(
                asking.took().compareTo(bench.grace()) <= 0, "acquireAsync() blocked for " + Bench.text(asking.took()));
        CompletableFuture<Lease> second = asking.result();
        bench.expect(!second.isDone(), "acquireAsync() of a held lock was done at once");
        bench.call("releaseAsync()", () -> first.releaseAsync().get());
        Lease lease = bench.call("the end of acquireAsync()", second::get);
        bench.expect(lease.token() > first.token(), "token " + lease.token() + " came after " + first.token());
        bench.keep(lease);
    }

    @Test
    @Rule(id = "WAI-8", says = "Every waiter MUST get the lock in the end when all holders release it.")
    void wai8_everyWaiterIsServed(Bench bench) {
        String name = bench.name();
        Lease holder = bench.hold(bench.a(), name);
        List<Pending<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            FencedLock lock =
                    List.of(bench.a(), bench.b(), bench.c()).get(i % 3).get(name);
            waiters.add(bench.start("waiting among nine", () -> {
                try (Lease lease = lock.acquire()) {
                    return lease.isValid();
                }
            }));
        }
        bench.pass(Duration.ofMillis(200));
        bench.release(holder);
        waiters.forEach(
                waiter -> bench.expect(bench.await(waiter).result(), "a waiter got a lease that was not valid"));
    }

    @Test
    @Rule(id = "WAI-9", says = "A negative wait MUST be refused with an IllegalArgumentException.")
    void wai9_negativeWaitIsRefused(Bench bench) {
        FencedLock lock = bench.a().get(bench.name());
        bench.expectThrown(
                "tryAcquire(-1 ms)", () -> lock.tryAcquire(Duration.ofMillis(-1)), IllegalArgumentException.class);
    }
}
