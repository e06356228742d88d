package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
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
        orderKept(bench, "a replica without the last writes was promoted", bench.controls()::failOver);
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
        long last = 0;
        for (int i = 0; i < 3; i++) {
            Lease lease = bench.hold(bench.a(), name);
            last = lease.token();
            bench.release(lease);
        }
        breaking.run();
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
        for (Duration step : new Duration[] {Duration.ofHours(1), Duration.ofHours(-1)}) {
            String name = bench.name();
            Lease lease = bench.hold(bench.a(), name);
            try {
                bench.controls().stepClock(step);
                bench.pass(bench.leases(1.5));
                bench.expect(lease.isValid(), "a renewed lease was lost when the clock was stepped by " + step);
                bench.expectHeld(bench.b().get(name), "the clock was stepped by " + step + " while it was held");
                bench.release(lease);
                Lease next = bench.hold(bench.b(), name);
                bench.expect(next.token() > lease.token(), "token " + next.token() + " came after " + lease.token());
            } finally {
                bench.controls().stepClock(step.negated());
            }
        }
    }
}
