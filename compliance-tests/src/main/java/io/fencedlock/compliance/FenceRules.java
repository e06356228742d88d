package io.fencedlock.compliance;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.StaleTokenException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

abstract class FenceRules {

    private static FenceMark mark(long token) {
        return new FenceMark(token, HolderId.random());
    }

    private static boolean accepted(
            Bench bench, FencedRegister register, String resource, FenceMark mark, String value) {
        return bench.call("write with token " + mark.token(), () -> {
            try {
                register.write(resource, mark, value);
                return true;
            } catch (StaleTokenException e) {
                return false;
            }
        });
    }

    private static StaleTokenException refused(Bench bench, String what, Runnable call) {
        return (StaleTokenException) bench.expectThrown(
                what,
                () -> {
                    call.run();
                    return true;
                },
                StaleTokenException.class);
    }

    @Test
    @Rule(
            id = "FEN-1",
            says = "A write MUST be accepted if and only if its token is above the mark, or equal to it and of the "
                    + "mark's holder.")
    void fen1_writeIsAcceptedByTheMark(Bench bench) {
        FencedRegister register = bench.register();
        String resource = bench.resource();
        FenceMark first = mark(5);
        bench.expect(
                accepted(bench, register, resource, first, "one"),
                "the first write to a resource without a mark was refused");
        bench.expect(
                accepted(bench, register, resource, first, "two"), "the second write of the mark's holder was refused");
        bench.expect(!accepted(bench, register, resource, mark(4), "old"), "token 4 was accepted behind token 5");
        bench.expect(!accepted(bench, register, resource, mark(5), "twin"), "token 5 of another holder was accepted");
        FenceMark second = mark(7);
        bench.expect(accepted(bench, register, resource, second, "three"), "token 7 was refused behind token 5");
        bench.expect(
                !accepted(bench, register, resource, first, "late"),
                "the earlier holder's token 5 was accepted behind 7");
        Optional<String> value = bench.call("read", () -> register.read(resource));
        bench.expect(
                value.equals(Optional.of("three")),
                "the value is " + value + " after the last accepted write of \"three\"");
    }

    @Test
    @Rule(id = "FEN-2", says = "The mark and the effect MUST change in one atomic step.")
    void fen2_markAndEffectAreOneStep(Bench bench) {
        FencedRegister register = bench.register();
        for (int i = 0; i < bench.rounds(10); i++) {
            String resource = bench.resource();
            CyclicBarrier together = new CyclicBarrier(4);
            List<Pending<Boolean>> writers = new ArrayList<>();
            for (int w = 1; w <= 4; w++) {
                FenceMark mark = mark(w);
                writers.add(bench.start("write with token " + w, () -> {
                    together.await(10, TimeUnit.SECONDS);
                    try {
                        register.write(resource, mark, "by " + mark.token());
                        return true;
                    } catch (StaleTokenException e) {
                        return false;
                    }
                }));
            }
            List<Boolean> accepted =
                    writers.stream().map(w -> bench.await(w).result()).toList();
            Optional<String> value = bench.call("read", () -> register.read(resource));
            bench.expect(
                    accepted.get(3) && value.equals(Optional.of("by 4")),
                    "four tokens wrote at once (accepted: " + accepted + "), and " + value
                            + " stands instead of that of token 4");
        }
    }

    @Test
    @Rule(id = "FEN-3", says = "Advancing MUST raise the mark without a write, and be refused like a write.")
    void fen3_advanceRaisesTheMark(Bench bench) {
        FencedRegister register = bench.register();
        String resource = bench.resource();
        FenceMark older = mark(10);
        FenceMark newer = mark(11);
        accepted(bench, register, resource, older, "value");
        bench.call("advance", () -> {
            register.advance(resource, newer);
            return true;
        });
        bench.expect(
                bench.call("read", () -> register.read(resource)).equals(Optional.of("value")),
                "advancing changed the value");
        bench.expect(
                !accepted(bench, register, resource, older, "late"),
                "token 10 was accepted after token 11 had advanced");
        refused(bench, "advance with token 10 behind 11", () -> register.advance(resource, older));
        bench.expect(
                accepted(bench, register, resource, newer, "new"),
                "the write of the token that had advanced was refused");
    }

    @Test
    @Rule(id = "FEN-4", says = "A refusal MUST carry both tokens: the one shown and the one accepted before.")
    void fen4_refusalCarriesBothTokens(Bench bench) {
        FencedRegister register = bench.register();
        String resource = bench.resource();
        accepted(bench, register, resource, mark(9), "value");
        StaleTokenException write =
                refused(bench, "write with token 8 behind 9", () -> register.write(resource, mark(8), "x"));
        StaleTokenException advance =
                refused(bench, "advance with token 7 behind 9", () -> register.advance(resource, mark(7)));
        bench.expect(
                write.staleToken() == 8
                        && write.acceptedToken() == 9
                        && advance.staleToken() == 7
                        && advance.acceptedToken() == 9,
                "the refusals of 8 and 7 behind 9 carry " + write.staleToken() + "/" + write.acceptedToken() + " and "
                        + advance.staleToken() + "/" + advance.acceptedToken());
    }

    @Test
    @SideBySide
    @Rule(id = "FEN-5", says = "A mark MUST outlive the locks and the clients that set it.")
    void fen5_markOutlivesLocksAndClients(Bench bench) {
        String resource = bench.resource();
        String name = bench.name();
        Lease before = bench.hold(bench.a(), name);
        bench.release(before);
        Lease lease = bench.hold(bench.a().get(name, bench.unrenewed()));
        FencedRegister first = bench.register();
        accepted(bench, first, resource, lease.mark(), "value");
        bench.release(lease);
        first.close();
        bench.pass(bench.expiry(bench.lease()));
        boolean stale = accepted(bench, bench.register(), resource, mark(before.token()), "late");
        bench.expect(!stale, "an older token was accepted when the lock and the first client were gone");
    }

    @Test
    @Rule(id = "FEN-6", says = "A refused write MUST change neither the value nor the mark.")
    void fen6_refusedWriteChangesNothing(Bench bench) {
        FencedRegister register = bench.register();
        String resource = bench.resource();
        FenceMark holder = mark(20);
        accepted(bench, register, resource, holder, "value");
        accepted(bench, register, resource, mark(19), "refused");
        accepted(bench, register, resource, mark(20), "refused");
        Optional<String> value = bench.call("read", () -> register.read(resource));
        Optional<FenceMark> stands = bench.call("mark", () -> register.mark(resource));
        bench.expect(value.equals(Optional.of("value")), "a refused write left the value " + value);
        bench.expect(
                stands.equals(Optional.of(holder)), "refused writes left the mark " + stands + " instead of " + holder);
    }

    @Test
    @SideBySide
    @Rule(
            id = "FEN-7",
            says = "A write of a holder whose lease has ended MUST be refused once the next holder has advanced or "
                    + "written.")
    void fen7_staleWriteIsRefused(Bench bench) {
        FencedRegister register = bench.register();
        String resource = bench.resource();
        String name = bench.name();
        Lease first = bench.hold(bench.a().get(name, bench.unrenewed()));
        bench.expect(accepted(bench, register, resource, first.mark(), "by first"), "the holder's write was refused");
        Lease second = bench.holdWithin(bench.b().get(name), bench.expiry(bench.lease()), "the first lease ran out");
        bench.expect(
                accepted(bench, register, resource, second.mark(), "by second"),
                "the present holder's write was refused");
        bench.expect(!accepted(bench, register, resource, first.mark(), "stale"), "the stale write was accepted");
        Optional<String> value = bench.call("read", () -> register.read(resource));
        bench.expect(value.equals(Optional.of("by second")), "after the stale write the value is " + value);
        bench.release(second);
        Lease third = bench.hold(bench.c(), name);
        bench.call("advance", () -> {
            register.advance(resource, third.mark());
            return true;
        });
        bench.expect(
                !accepted(bench, register, resource, second.mark(), "stale"),
                "a write was accepted after the next holder advanced");
    }
}
