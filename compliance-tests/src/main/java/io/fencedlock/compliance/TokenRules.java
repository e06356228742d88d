package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.StaleTokenException;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

abstract class TokenRules {

    @Test
    @Rule(id = "TOK-1", says = "A token MUST be greater than zero.")
    void tok1_tokenIsPositive(Bench bench) {
        for (FencedLocks client : List.of(bench.a(), bench.b())) {
            long token = bench.hold(client, bench.name()).token();
            bench.expect(token > 0, "a new lease has token " + token);
        }
    }

    @Test
    @Rule(
            id = "TOK-2",
            says =
                    "If an acquisition returned before another of the same name was asked for, the other one's token MUST"
                            + " be greater.")
    void tok2_laterAcquireHasGreaterToken(Bench bench) {
        String name = bench.name();
        long last = 0;
        for (int i = 0; i < bench.rounds(12); i++) {
            FencedLocks client = bench.random().nextBoolean() ? bench.a() : bench.b();
            Lease lease = bench.hold(client, name);
            bench.expect(
                    lease.token() > last, "token " + lease.token() + " was granted after token " + last + " had been");
            last = lease.token();
            bench.release(lease);
        }
        bench.a().get(name);
        Lease ofThird = bench.hold(bench.c(), name);
        bench.expect(ofThird.token() > last, "a third client got token " + ofThird.token() + " after token " + last);
    }

    @Test
    @Rule(id = "TOK-3", says = "Two acquisitions of one name MUST NOT have the same token.")
    void tok3_tokensAreUnique(Bench bench) {
        String name = bench.name();
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        List<Pending<Boolean>> workers = new ArrayList<>();
        // Clients that begin now: numbers that each counts by itself are equal at once.
        for (FencedLocks client : List.of(bench.fresh(), bench.fresh(), bench.fresh())) {
            for (int thread = 0; thread < 2; thread++) {
                workers.add(bench.start("taking tokens", () -> takeTokens(client.get(name), bench.rounds(4), seen)));
            }
        }
        workers.forEach(worker -> bench.awaitRounds(worker).result());
    }

    private static boolean takeTokens(FencedLock lock, int rounds, Set<Long> seen) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            try (Lease lease = lock.tryAcquire(Duration.ofSeconds(20))
                    .orElseThrow(() -> new RuleBroken("lock " + lock.name() + " was not granted within 20 s"))) {
                if (!seen.add(lease.token())) {
                    throw new RuleBroken("token " + lease.token() + " of lock " + lock.name() + " was granted twice");
                }
            }
        }
        return true;
    }

    @Test
    @SideBySide
    @Rule(id = "TOK-4", says = "The token of a lease MUST stay the same while it lives, renewals included.")
    void tok4_tokenIsConstantWhileHeld(Bench bench) {
        Lease lease = bench.hold(bench.a(), bench.name());
        long token = lease.token();
        for (int i = 0; i < 3; i++) {
            bench.call("renew()", () -> {
                lease.renew();
                return true;
            });
            bench.expect(
                    lease.token() == token, "token " + token + " became " + lease.token() + " by an explicit renewal");
        }
        bench.pass(bench.leases(0.8));
        bench.expect(
                lease.token() == token, "token " + token + " became " + lease.token() + " while the library renewed");
        bench.inspect(bench.b(), lease.grant().name().value())
                .ifPresent(info -> bench.expect(
                        info.token() == token,
                        "the store shows token " + info.token() + " for the lease with token " + token));
    }

    @Test
    @SideBySide
    @Rule(
            id = "TOK-5",
            says = "A lease MUST answer with its own token, also when it is lost or released and others have been "
                    + "granted since.")
    void tok5_leaseAnswersItsOwnToken(Bench bench) {
        String name = bench.name();
        Lease first = bench.hold(bench.a().get(name, bench.unrenewed()));
        long token = first.token();
        Lease second = bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "the first lease ran out");
        bench.expect(
                first.token() == token, "after its loss, the lease of token " + token + " answers " + first.token());
        bench.release(first);
        bench.release(second);
        bench.hold(bench.c(), name);
        bench.expect(
                first.token() == token, "after its release, the lease of token " + token + " answers " + first.token());
        bench.expect(second.token() > token, "the second lease answers " + second.token() + ", the first had " + token);
    }

    @Test
    @Rule(
            id = "TOK-6",
            says =
                    "A new token MUST be greater than every earlier one also after a change that the profile declares to "
                            + "survive.")
    void tok6_orderSurvivesWhatIsDeclared(Bench bench) {
        String name = bench.name();
        FencedLocks client = bench.fresh();
        Lease first = bench.hold(client, name);
        bench.release(first);
        bench.call("close()", () -> {
            client.close();
            return true;
        });
        Lease second = bench.hold(bench.fresh(), name);
        bench.expect(
                second.token() > first.token(),
                "a new client got token " + second.token() + ", a closed one had " + first.token());
        bench.release(second);
        if (!bench.profile().tokenSurvives().contains(TokenSurvival.COUNTER_LOSS)
                && !bench.profile().disclaims().containsKey("TOK-6")) {
            return;
        }
        try {
            bench.controls().loseCounter();
        } catch (ControlMissing e) {
            return; // FLT-12 says so
        }
        Lease third = bench.holdWithin(bench.a().get(name), bench.leases(2), "the counter was deleted");
        bench.expect(
                third.token() > second.token(),
                "token " + third.token() + " was granted after the counter was deleted, token " + second.token()
                        + " before");
    }

    @Test
    @Rule(id = "TOK-7", says = "Tokens MUST be exact over 63 bits in every place that stores or compares them.")
    void tok7_tokensAreExactOver63Bits(Bench bench) throws InterruptedException {
        FencedRegister register = bench.register();
        long edge = 1L << 53;
        String resource = bench.resource();
        for (long token : new long[] {edge, edge + 1, edge + 2, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            register.write(resource, new FenceMark(token, HolderId.random()), "by " + token);
            long below = token - 1;
            StaleTokenException refused = (StaleTokenException) bench.expectThrown(
                    "a write with token " + below + " behind token " + token,
                    () -> {
                        register.write(resource, new FenceMark(below, HolderId.random()), "stale");
                        return true;
                    },
                    StaleTokenException.class);
            bench.expect(
                    refused.acceptedToken() == token,
                    "the fence remembers " + refused.acceptedToken() + " instead of " + token);
        }
        boolean raised = !bench.profile().disclaims().containsKey("TOK-9");
        if (raised && bench.controls().disposable()) {
            try {
                grantedAbove(bench, edge);
            } finally {
                bench.forgetTokens(); // so far above the clock that a later loss of data could not be made good
            }
        }
    }

    private static void grantedAbove(Bench bench, long edge) {
        bench.call("raiseTokens(2^53)", () -> {
            bench.a().raiseTokens(edge);
            return true;
        });
        String name = bench.name();
        long before = edge;
        for (int i = 0; i < 3; i++) {
            Lease lease = bench.hold(i % 2 == 0 ? bench.a() : bench.b(), name);
            bench.expect(lease.token() > before, "token " + lease.token() + " came after " + before);
            long shown = bench.inspect(bench.b(), name).orElseThrow().token();
            bench.expect(shown == lease.token(), "the store shows " + shown + " for token " + lease.token());
            before = lease.token();
            bench.release(lease);
        }
    }

    @Test
    @Rule(id = "TOK-8", says = "A repeated request of one acquisition MUST yield the same grant.")
    void tok8_repeatedRequestYieldsTheSameGrant(Bench bench) {
        FencedLockBackend backend = bench.backend();
        AcquireRequest request =
                new AcquireRequest(new LockName(bench.name()), HolderId.random(), bench.lease(), Duration.ZERO);
        Attempt.Granted first = granted(bench, backend, request);
        Attempt.Granted second = granted(bench, backend, request);
        bench.expect(
                first.grant().token() == second.grant().token(),
                "the same holder asked twice and got token " + first.grant().token() + ", then "
                        + second.grant().token());
        bench.call(
                "release",
                () -> backend.release(second.grant()).toCompletableFuture().get(5, TimeUnit.SECONDS));
        Lease next = bench.hold(bench.a(), request.name().value());
        bench.expect(next.token() > first.grant().token(), "the next token is " + next.token());
    }

    private static Attempt.Granted granted(Bench bench, FencedLockBackend backend, AcquireRequest request) {
        long end = bench.now() + bench.lease().toNanos();
        while (true) {
            Attempt attempt = null;
            Pending<Attempt> asking = bench.await(bench.start(
                    "acquire",
                    () -> backend.acquire(request).toCompletableFuture().get(5, TimeUnit.SECONDS)));
            if (asking.thrown() == null) {
                attempt = asking.result();
            }
            if (attempt instanceof Attempt.Granted granted) {
                return granted;
            }
            bench.expect(
                    asking.thrown() != null && bench.now() < end, // a bare backend connects in the background
                    "the holder of a free lock, or its repeated request, was answered " + attempt + " "
                            + asking.thrown());
            bench.pass(Duration.ofMillis(50));
        }
    }

    @Test
    @Rule(
            id = "TOK-9",
            says = "After an operator raised the tokens above a number, every later token MUST be greater than that "
                    + "number.")
    void tok9_raisedTokensStayAbove(Bench bench) {
        String name = bench.name();
        Lease before = bench.hold(bench.a(), name);
        bench.release(before);
        long floor = before.token() + 1_000_000;
        bench.call("raiseTokens", () -> {
            bench.b().raiseTokens(floor);
            return true;
        });
        for (FencedLocks client : List.of(bench.a(), bench.b(), bench.c())) {
            Lease lease = bench.hold(client, name);
            bench.expect(
                    lease.token() > floor,
                    "token " + lease.token() + " was granted after the tokens were raised above " + floor);
            bench.release(lease);
        }
        // Where tokens follow a clock they are a second ahead of it now: the next rule may delete the counter that
        // remembers.
        bench.pass(Duration.ofMillis(1100));
    }
}
