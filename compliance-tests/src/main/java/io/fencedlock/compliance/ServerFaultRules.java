package io.fencedlock.compliance;

import io.fencedlock.BackendProfile.LeaseClock;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

abstract class ServerFaultRules {

    /** For a server to come back and for clients to find it. */
    private static final Duration RECOVERY = Duration.ofSeconds(20);

    @Test
    @Rule(
            id = "FLT-8",
            says = "After a restart of the server with its data, tokens MUST go on above the earlier ones and waiting "
                    + "calls MUST be served.")
    void flt8_restartWithDataKeepsTheOrder(Bench bench) {
        bench.requireSurvival(TokenSurvival.SERVER_RESTART);
        orderKept(
                bench,
                "the server was restarted with its data",
                () -> bench.controls().restartServer(true));
    }

    @Test
    @Rule(
            id = "FLT-9",
            says = "After a restart of the server without its data, tokens MUST go on above the earlier ones where the "
                    + "profile declares it.")
    void flt9_restartWithoutDataKeepsTheOrder(Bench bench) {
        bench.requireSurvival(TokenSurvival.DATA_LOSS);
        orderKept(
                bench,
                "the server was restarted without its data",
                () -> bench.controls().restartServer(false));
    }

    @Test
    @Rule(
            id = "FLT-10",
            says = "After a failover that lost the last writes, no two grants MUST share a token where the profile "
                    + "declares it.")
    void flt10_failoverKeepsTokensUnique(Bench bench) {
        bench.requireSurvival(TokenSurvival.LOST_WRITE_FAILOVER);
        String name = bench.name();
        long before = taken(bench, name);
        try {
            bench.controls().holdReplication();
            long last = taken(bench, name);
            bench.expect(last > before, "token " + last + " came after " + before);
            orderKept(bench, name, last, "a replica without the last writes was promoted", bench.controls()::failOver);
        } finally {
            bench.controls().mend();
        }
    }

    @Test
    @Rule(
            id = "FLT-12",
            says = "When the counter or the parent node from which tokens are made is deleted, later tokens MUST still "
                    + "be greater where the profile declares it.")
    void flt12_lostCounterKeepsTheOrder(Bench bench) {
        bench.requireSurvival(TokenSurvival.COUNTER_LOSS);
        orderKept(bench, "the counter was deleted", bench.controls()::loseCounter);
    }

    private static void orderKept(Bench bench, String fault, Runnable breaking) {
        String name = bench.name();
        long last = taken(bench, name);
        try {
            orderKept(bench, name, last, fault, breaking);
        } finally {
            bench.controls().mend();
        }
    }

    /** The last of a few tokens. */
    private static long taken(Bench bench, String name) {
        long last = 0;
        for (int i = 0; i < 3; i++) {
            Lease lease = bench.hold(bench.a(), name);
            bench.expect(lease.token() > last, "token " + lease.token() + " came after " + last);
            last = lease.token();
            bench.release(lease);
        }
        return last;
    }

    private static void orderKept(Bench bench, String name, long before, String fault, Runnable breaking) {
        breaking.run();
        long last = before;
        FencedLock lock = bench.a().get(name);
        Lease after = grantedInTheEnd(bench, lock, fault);
        bench.expect(
                after.token() > last,
                "token " + after.token() + " was granted after " + fault + ", token " + last + " before");
        bench.release(after);
        last = after.token();
        for (FencedLocks client : bench.shared()) {
            Lease next = grantedInTheEnd(bench, client.get(name), fault);
            bench.expect(next.token() > last, "token " + next.token() + " came after " + last);
            last = next.token();
            bench.release(next);
        }
    }

    private static Lease grantedInTheEnd(Bench bench, FencedLock lock, String fault) {
        Lease[] lease = new Lease[1];
        bench.until("granting a free lock after " + fault, RECOVERY, () -> {
            Pending<Optional<Lease>> pending = bench.await(bench.starting(lock, bench.command()));
            if (pending.thrown() != null || pending.result().isEmpty()) {
                return false;
            }
            lease[0] = pending.result().orElseThrow();
            return true;
        });
        return lease[0];
    }

    @Test
    @Rule(
            id = "FLT-11",
            says = "A step of the server's or the client's wall clock MUST NOT end, prolong or invalidate the order of "
                    + "leases beyond what the profile declares.")
    void flt11_clockStepsChangeNothing(Bench bench) {
        String name = bench.name();
        long last = 0;
        for (Duration step : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            Lease lease = bench.hold(bench.a(), name);
            bench.expect(lease.token() > last, "token " + lease.token() + " came after " + last);
            bench.controls().stepClock(step);
            try {
                last = throughStep(bench, lease, step);
            } finally {
                bench.controls().stepClock(step.negated());
            }
        }
        Lease after = bench.hold(bench.a(), name);
        bench.expect(after.token() > last, "token " + after.token() + " came after " + last);
        bench.release(after);
        if (bench.controls().disposable()) {
            bench.forgetTokens(); // some may be an hour ahead of the clock, so that a later loss of data could not
            // be made good
        }
    }

    /** The lease that is renewed lives on; one that may end by a step forward has ended for its holder, too. */
    private static long throughStep(Bench bench, Lease lease, Duration step) {
        FencedLock other = bench.b().get(lease.grant().name().value());
        bench.pass(bench.leases(1.5));
        boolean mayEnd = bench.profile().leaseClock() == LeaseClock.WALL && !step.isNegative();
        if (lease.isValid()) {
            bench.expectHeld(other, "the clock was stepped by " + step + " while its lease was held and valid");
        } else {
            bench.expect(mayEnd, "a renewed lease was lost when the clock was stepped by " + step);
        }
        bench.release(lease);
        Lease next = bench.holdWithin(
                other, bench.command().plus(bench.grace()), "its only lease was released after a step of " + step);
        bench.expect(next.token() > lease.token(), "token " + next.token() + " came after " + lease.token());
        bench.pass(bench.leases(0.5));
        bench.expect(next.isValid(), "a lease that was granted after a step of " + step + " ended before its time");
        bench.expectHeld(bench.c().get(lease.grant().name().value()), "it was granted after a step of " + step);
        bench.release(next);
        return next.token();
    }
}
