package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderInfo;
import io.fencedlock.Lease;
import io.fencedlock.compliance.history.HistoryChecker;
import io.fencedlock.compliance.history.Limits;
import io.fencedlock.compliance.history.Violation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

abstract class ExclusionRules {

    @Test
    @Rule(
            id = "EXC-1",
            says =
                    "Without a fault, at most one lease of a name MUST be valid at any time, over all processes, clients "
                            + "and threads.")
    void exc1_oneValidLeaseAtATime(Bench bench) {
        Storm storm = new Storm(bench, bench.name(), bench.rounds(5));
        storm.run(List.of(bench.a(), bench.b(), bench.c()), 3);
        List<Violation> violations =
                new HistoryChecker(new Limits(bench.command(), bench.lease(), bench.leases(20))).check(storm.events());
        bench.expect(violations.isEmpty(), () -> violations.size() + " violations, the first: " + violations.get(0));
        bench.expect(storm.missing() == 0, () -> storm.missing() + " of " + storm.expected() + " increments were lost");
    }

    @Test
    @Rule(id = "EXC-2", says = "Locks of different names MUST NOT interfere, whatever characters the names have.")
    void exc2_namesDoNotInterfere(Bench bench) {
        String base = bench.name();
        String longest = base + "x".repeat(511 - base.length());
        allAtOnce(
                bench,
                List.of(
                        base + "/b", // before and after what it begins with
                        base,
                        base + "/",
                        base + ":b",
                        base + "/b/c",
                        base + "b",
                        base + "-0000000001",
                        "{" + base + "}b",
                        "{" + base + "}",
                        base + "*",
                        base + "?",
                        base + "%2F",
                        "/" + base,
                        base + "/..",
                        base + "/.",
                        base + "\\",
                        base + "'",
                        base + "\"",
                        base + "ü漢😀",
                        longest + "a",
                        longest + "b"));
    }

    @Test
    @Rule(
            id = "EXC-3",
            says = "A lock name that is blank, longer than 512 UTF-8 bytes, or holds control characters or lone "
                    + "surrogates MUST be refused before any request.")
    void exc3_wrongNamesAreRefused(Bench bench) {
        List<String> wrong = List.of(
                "", "  ", "a\nb", "a\u0000b", "a\u007fb", "\uD83D", "\uDE00x", "x".repeat(513), "ü".repeat(257));
        for (String name : wrong) {
            Throwable refused = bench.expectThrown(
                    "get() with a wrong name", () -> bench.a().get(name), IllegalArgumentException.class);
            bench.expect(
                    refused.getMessage() != null && !refused.getMessage().isBlank(),
                    "the refusal of a wrong name says nothing");
        }
    }

    @Test
    @Rule(
            id = "EXC-4",
            says = "Locks MUST NOT be re-entrant: while a lease lives, a second try of the same thread MUST find the "
                    + "lock held.")
    void exc4_notReentrant(Bench bench) {
        String name = bench.name();
        String again = bench.call("a second try of the same thread", () -> {
            FencedLock lock = bench.a().get(name);
            Lease first = lock.tryAcquire().orElseThrow(() -> new RuleBroken("a free lock was not granted"));
            Optional<Lease> second = lock.tryAcquire();
            Optional<Lease> third = bench.a().get(name).tryAcquire();
            String tokens = Stream.of(second, third)
                    .flatMap(Optional::stream)
                    .map(lease -> Long.toString(lease.token()))
                    .collect(Collectors.joining(" and "));
            List.of(second, third).forEach(lease -> lease.ifPresent(Lease::close));
            first.close();
            return tokens.isEmpty() ? "" : tokens + ", while it held it with token " + first.token();
        });
        bench.expect(again.isEmpty(), "the thread that held the lock was granted it again with token " + again);
    }

    @Test
    @Rule(id = "EXC-5", says = "Names MUST be compared character by character and never normalised.")
    void exc5_namesAreNeverNormalised(Bench bench) {
        String base = bench.name();
        allAtOnce(
                bench,
                List.of(
                        base + "a",
                        base + "A",
                        base + "a ",
                        " " + base + "a",
                        base + "\u00e9",
                        base + "e\u0301",
                        base + "ß",
                        base + "ss",
                        base + "\uFF41",
                        base + "\u2126",
                        base + "\u03A9"));
    }

    /** Each name is granted while all others are held, and then found held by another client. */
    private static void allAtOnce(Bench bench, List<String> names) {
        FencedLocks client = bench.a();
        for (String name : names) {
            bench.expect(
                    bench.tryOnce(client.get(name)).isPresent(),
                    "lock \"" + name + "\" was not granted while only other names are held");
        }
        for (String name : names) {
            bench.expectHeld(bench.b().get(name), "it is held by another client, beside similar names");
        }
    }

    @Test
    @Rule(
            id = "EXC-6",
            says = "While a lock is held, inspection MUST show its holder's token, and after the release it MUST show "
                    + "nothing.")
    void exc6_inspectionShowsTheHolder(Bench bench) {
        String name = bench.name();
        bench.expect(bench.inspect(bench.a(), name).isEmpty(), "a lock that was never held is shown as held");
        Lease lease = bench.hold(bench.a(), name);
        for (FencedLocks client : List.of(bench.a(), bench.b())) {
            Optional<HolderInfo> info = bench.inspect(client, name);
            bench.expect(info.isPresent(), "a held lock is shown as free");
            bench.expect(
                    info.orElseThrow().token() == lease.token(), "token " + lease.token() + " is shown as " + info);
            bench.expect(info.orElseThrow().holder().equals(lease.grant().holder()), "the holder is shown as " + info);
        }
        bench.release(lease);
        bench.expect(bench.inspect(bench.b(), name).isEmpty(), "a released lock is shown as held");
    }
}
