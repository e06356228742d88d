package io.fencedlock.compliance;

import static io.fencedlock.Release.NOT_HELD;
import static io.fencedlock.Release.RELEASED;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

abstract class ReleaseRules {

    @Test
    @SideBySide
    @Rule(
            id = "REL-1",
            says = "A release MUST remove only the entry of its own acquisition; a late one MUST answer NOT_HELD and "
                    + "leave the present holder alone.")
    void rel1_lateReleaseTouchesNobody(Bench bench) {
        String name = bench.name();
        Lease stale = bench.hold(bench.a().get(name, bench.unrenewed()));
        Lease present = bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "the first lease ran out");
        Release answer = bench.release(stale);
        bench.expect(answer == NOT_HELD, "the release of a lease that had run out was answered " + answer);
        stillHeld(bench, name, present, "the late release of an earlier holder");
    }

    private static void stillHeld(Bench bench, String name, Lease present, String after) {
        bench.expectHeld(bench.c().get(name), "it is held by another, after " + after);
        bench.call("renew() of the present holder after " + after, () -> {
            present.renew();
            return true;
        });
        bench.expect(present.isValid(), "the present holder's lease is not valid after " + after);
    }

    @Test
    @Rule(id = "REL-2", says = "A repeated release MUST answer what the first one did and touch nobody.")
    void rel2_repeatedReleaseIsHarmless(Bench bench) {
        for (FencedLocks next : List.of(bench.b(), bench.a())) {
            String name = bench.name();
            Lease first = bench.hold(bench.a(), name);
            Release answer = bench.release(first);
            Lease second = bench.hold(next, name);
            Release repeated = bench.release(first);
            bench.expect(
                    answer == RELEASED && repeated != NOT_HELD,
                    "a lease was released twice: first " + answer + ", then " + repeated);
            stillHeld(bench, name, second, "the second release of an earlier holder");
        }
    }

    @Test
    @Rule(id = "REL-3", says = "A release MUST work with the interrupt flag set, and keep it set.")
    void rel3_releaseWorksWhenInterrupted(Bench bench) {
        String name = bench.name();
        Lease lease = bench.hold(bench.a(), name);
        boolean[] kept = new boolean[1];
        Release answer = bench.call("release() by an interrupted thread", () -> {
            Thread.currentThread().interrupt();
            Release release = lease.release();
            kept[0] = Thread.interrupted();
            return release;
        });
        bench.expect(answer == RELEASED, "an interrupted thread's release was answered " + answer);
        bench.expect(kept[0], "the release swallowed the interrupt flag");
        bench.expect(
                bench.tryOnce(bench.b().get(name)).isPresent(),
                "the lock is held after an interrupted thread's release");
    }

    @Test
    @SideBySide
    @Rule(id = "REL-4", says = "Closing a lease MUST NOT throw, whatever has become of it.")
    void rel4_closeNeverThrows(Bench bench) {
        String name = bench.name();
        Lease lost = bench.hold(bench.a().get(name, bench.unrenewed()));
        bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "the first lease ran out");
        Lease released = bench.hold(bench.a(), bench.name());
        bench.release(released);
        for (Lease lease : List.of(lost, lost, released, released)) {
            Pending<Boolean> closing = bench.await(bench.start("close() of a lease that is over", () -> {
                lease.close();
                return true;
            }));
            bench.expect(closing.thrown() == null, () -> "close() of a lease that is over threw " + closing.thrown());
            bench.expect(
                    closing.took().compareTo(bench.command().plus(bench.grace())) < 0,
                    "close() took " + Bench.text(closing.took()));
        }
    }

    @Test
    @Rule(id = "REL-5", says = "After a release has answered, the lock MUST be free at once for any client.")
    void rel5_releasedLockIsFreeAtOnce(Bench bench) {
        String name = bench.name();
        int told = 0;
        for (int i = 0; i < bench.rounds(10); i++) {
            FencedLock lock = (i % 2 == 0 ? bench.a() : bench.b()).get(name);
            int round = i;
            Lease lease;
            try {
                lease = bench.tryOnce(lock)
                        .orElseThrow(() -> new RuleBroken(
                                "in round " + round + " the lock is held although its holder's release was answered"));
                told++;
            } catch (OutcomeUnknownException | BackendUnavailableException slow) {
                // It says nothing of the release before it, and has to be undone first.
                lease = bench.holdWithin(lock, bench.expiry(bench.lease()), "an attempt was not answered");
            }
            Release answer = bench.release(lease);
            bench.expect(answer == RELEASED, "the release of a held lock was answered " + answer);
        }
        bench.expect(told > bench.rounds(10) / 2, "only " + told + " attempts were answered in time");
    }

    @Test
    @Rule(id = "REL-6", says = "Any thread MUST be able to release a lease.")
    void rel6_anyThreadReleases(Bench bench) {
        String name = bench.name();
        Lease lease = bench.hold(bench.a(), name);
        Release answer = bench.call("release() by another thread", () -> {
            FutureTask<Release> task = new FutureTask<>(lease::release);
            new Thread(task, Workers.NAME + "-other").start();
            return task.get();
        });
        bench.expect(answer == RELEASED, "the release by another thread was answered " + answer);
        bench.expect(bench.tryOnce(bench.b().get(name)).isPresent(), "the lock is held after another thread's release");
    }

    @Test
    @Rule(id = "REL-7", says = "A forced release MUST remove exactly the entry whose token was observed, and no other.")
    void rel7_forcedReleaseNeedsTheToken(Bench bench) {
        String name = bench.name();
        Lease first = bench.hold(bench.a(), name);
        Release wrong =
                bench.call("forceRelease of another token", () -> bench.b().forceRelease(name, first.token() + 1));
        bench.expect(wrong == NOT_HELD, "a forced release of a token that is not held was answered " + wrong);
        stillHeld(bench, name, first, "a forced release of another token");
        Release right = bench.call("forceRelease", () -> bench.b().forceRelease(name, first.token()));
        bench.expect(right == RELEASED, "the forced release of the present token was answered " + right);
        Lease second = bench.hold(bench.b(), name);
        Release late =
                bench.call("forceRelease of an earlier token", () -> bench.c().forceRelease(name, first.token()));
        bench.expect(late == NOT_HELD, "the forced release of an earlier token was answered " + late);
        stillHeld(bench, name, second, "the forced release of an earlier token");
    }
}
