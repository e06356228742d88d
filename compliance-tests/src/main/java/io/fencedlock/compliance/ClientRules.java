package io.fencedlock.compliance;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

abstract class ClientRules {

    @Test
    @Rule(
            id = "CLI-1",
            says = "Closing a client MUST be bounded, fail its pending calls and free the locks that it holds.")
    void cli1_closeEndsEverything(Bench bench) {
        FencedLocks client = bench.fresh();
        String held = bench.name();
        String wanted = bench.name();
        bench.hold(bench.a(), wanted);
        bench.hold(client, held);
        Pending<Lease> blocking = bench.start("acquire()", client.get(wanted)::acquire);
        CompletableFuture<Lease> pending = bench.call("acquireAsync()", client.get(wanted)::acquireAsync);
        bench.until("the begin of the wait", bench.leases(1), blocking::waiting);
        bench.pass(Duration.ofMillis(200));
        Pending<Boolean> closing = bench.await(closing(bench, client));
        Duration limit = bench.command().multipliedBy(2).plusSeconds(1).plus(bench.grace());
        bench.expect(closing.thrown() == null, () -> "close() threw " + closing.thrown());
        bench.expect(closing.took().compareTo(limit) <= 0, "close() took " + Bench.text(closing.took()));
        bench.expect(
                bench.await(blocking, bench.command().plus(bench.grace())).thrown() instanceof IllegalStateException,
                () -> "a blocked acquire() ended with " + blocking.thrown() + " when its client was closed");
        bench.until("failing a pending future", bench.grace(), pending::isDone);
        Throwable failed = pending.handle((lease, error) -> error).join();
        Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
        bench.expect(cause instanceof IllegalStateException, () -> "a pending future ended with " + cause);
        bench.holdWithin(bench.b().get(held), bench.command().plus(bench.grace()), "its holder's client was closed");
    }

    private static Pending<Boolean> closing(Bench bench, FencedLocks client) {
        return bench.start("close()", () -> {
            client.close();
            return true;
        });
    }

    @Test
    @Rule(
            id = "CLI-2",
            says = "Nothing MUST be kept per lock name after its last use, neither in the client nor on the server.")
    void cli2_nothingIsKeptPerName(Bench bench) {
        bench.release(bench.hold(bench.a(), bench.name()));
        long before = bench.controls().entries();
        for (int i = 0; i < bench.rounds(20); i++) {
            String name = bench.name();
            Lease lease = bench.hold(bench.a(), name);
            bench.expectHeld(bench.b().get(name), "it was just granted");
            bench.release(lease);
        }
        long[] after = new long[1];
        try {
            bench.until("going back to " + before + " entries", bench.expiry(bench.lease()), () -> {
                after[0] = bench.controls().entries();
                return after[0] <= before;
            });
        } catch (RuleBroken e) {
            throw new RuleBroken(
                    bench.rounds(20) + " names were used once: " + before + " entries before, " + after[0] + " after",
                    e);
        }
    }

    @Test
    @Rule(
            id = "CLI-3",
            says =
                    "Wrong configuration MUST be refused at once, with a message that names what was found and no secret.")
    void cli3_wrongConfigurationIsRefused(Bench bench) {
        String url = bench.url();
        for (String wrong : List.of("lease=0s", "lease=-1s", "renewal=maybe", "command-timeout=soon")) {
            Throwable refused = bench.expectThrown(
                    "a URL with " + wrong,
                    () -> {
                        bench.keep(bench.open(Configured.by(Urls.with(url, wrong))));
                        return true;
                    },
                    LockConfigurationException.class);
            String found = wrong.substring(wrong.indexOf('=') + 1);
            bench.expect(
                    String.valueOf(refused.getMessage()).contains(found),
                    "the refusal of " + wrong + " does not name it: " + refused.getMessage());
        }
    }

    @Test
    @Rule(id = "CLI-4", says = "A backend that cannot be reached MUST be told apart from a lock that is held.")
    void cli4_unreachableIsNotHeld(Bench bench) {
        FencedLocks nowhere =
                bench.keep(bench.call("opening a client", () -> bench.controls().openUnreachable(bench.lease())));
        Duration wait = Duration.ofMillis(200);
        Pending<?> once =
                bench.await(bench.start("tryAcquire() without a server", nowhere.get(bench.name())::tryAcquire));
        Pending<?> waiting = bench.await(bench.starting(nowhere.get(bench.name()), wait));
        for (Pending<?> pending : List.of(once, waiting)) {
            bench.expect(
                    pending.thrown() instanceof BackendUnavailableException,
                    () -> pending.what() + " with nothing listening ended with " + pending.thrown());
            Duration limit = wait.plus(bench.command()).plus(bench.grace());
            bench.expect(pending.took().compareTo(limit) <= 0, pending.what() + " took " + Bench.text(pending.took()));
        }
    }

    @Test
    @Rule(
            id = "CLI-5",
            says = "After a client is closed its calls MUST fail with an IllegalStateException, and closing again MUST "
                    + "do nothing.")
    void cli5_closedClientRefusesCalls(Bench bench) {
        FencedLocks client = bench.fresh();
        String name = bench.name();
        bench.release(bench.hold(client, name));
        bench.await(closing(bench, client)).result();
        bench.expectThrown(
                "tryAcquire() of a closed client", () -> client.get(name).tryAcquire(), IllegalStateException.class);
        bench.expectThrown(
                "acquire() of a closed client", () -> client.get(name).acquire(), IllegalStateException.class);
        Pending<Boolean> again = bench.await(closing(bench, client));
        bench.expect(again.thrown() == null, () -> "the second close() threw " + again.thrown());
    }

    @Test
    @Rule(id = "CLI-6", says = "A closed client MUST leave no thread behind.")
    void cli6_closedClientLeavesNoThread(Bench bench) {
        bench.release(bench.hold(bench.a(), bench.name())); // what all clients of the JVM share is there now
        FencedLocks first = bench.fresh();
        bench.release(bench.hold(first, bench.name()));
        bench.await(closing(bench, first)).result();
        Set<Thread> before = threads();
        List<FencedLocks> clients = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            FencedLocks client = bench.fresh();
            bench.release(bench.hold(client, bench.name()));
            clients.add(client);
        }
        clients.forEach(client -> bench.await(closing(bench, client)).result());
        long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        Set<Thread> left = newThreads(before);
        while (left.size() >= clients.size() && System.nanoTime() < end) { // real time: threads end by no test's clock
            bench.pass(Duration.ofMillis(20));
            left = newThreads(before);
        }
        String names = left.stream().map(Thread::getName).sorted().collect(Collectors.joining(", "));
        bench.expect(left.size() < clients.size(), "two closed clients left " + left.size() + " threads: " + names);
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    private static Set<Thread> newThreads(Set<Thread> before) {
        Set<Thread> now = threads();
        now.removeAll(before);
        now.removeIf(thread ->
                thread.getName().startsWith(Workers.NAME) || thread.getName().startsWith("ForkJoinPool.common"));
        return now;
    }

    @Test
    @Rule(
            id = "CLI-7",
            says =
                    "A lease time below the smallest declared MUST be refused with an IllegalArgumentException that names"
                            + " both.")
    void cli7_tooShortLeaseIsRefused(Bench bench) {
        Duration smallest = bench.profile().smallestLease();
        Duration tooShort = smallest.dividedBy(2);
        Throwable refused = bench.expectThrown(
                "a lease of " + tooShort + " where " + smallest + " is the smallest",
                () -> bench.a().get(bench.name(), LockOptions.lease(tooShort)),
                IllegalArgumentException.class);
        bench.expect(
                String.valueOf(refused.getMessage()).contains(Long.toString(smallest.toMillis())),
                "the refusal names no limit: " + refused.getMessage());
    }
}
