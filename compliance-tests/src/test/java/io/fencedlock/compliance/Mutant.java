package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.ManualClock;
import io.fencedlock.compliance.MemoryTarget.Changes;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The in-memory reference with one fault in it.
 *
 * @param name what is wrong
 * @param seen where that fault was seen
 * @param rule the rule that is meant to find it
 * @param changes makes it; called once for each run, so that what it shares belongs to one store
 */
record Mutant(String name, String seen, String rule, Function<ManualClock, Changes> changes) {

    static Mutant backend(
            String rule, String name, String seen, Function<ManualClock, UnaryOperator<FencedLockBackend>> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return new Changes(
                    name,
                    wrap.apply(clock),
                    right.outer(),
                    right.client(),
                    right.register(),
                    right.server(),
                    right.opener());
        });
    }

    /** Wrong between the client and the line that breaks. */
    static Mutant outer(
            String rule, String name, String seen, Function<ManualClock, UnaryOperator<FencedLockBackend>> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return new Changes(
                    name,
                    right.backend(),
                    wrap.apply(clock),
                    right.client(),
                    right.register(),
                    right.server(),
                    right.opener());
        });
    }

    static Mutant client(
            String rule, String name, String seen, Function<ManualClock, UnaryOperator<FencedLocks>> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return new Changes(
                    name,
                    right.backend(),
                    right.outer(),
                    wrap.apply(clock),
                    right.register(),
                    right.server(),
                    right.opener());
        });
    }

    static Mutant lock(
            String rule,
            String name,
            String seen,
            Function<ManualClock, BiFunction<FencedLocks, FencedLock, FencedLock>> wrap) {
        return client(rule, name, seen, clock -> {
            BiFunction<FencedLocks, FencedLock, FencedLock> wrapLock = wrap.apply(clock);
            return client -> new DelegateLocks(client) {
                @Override
                FencedLock wrap(FencedLock lock) {
                    return wrapLock.apply(right, lock);
                }
            };
        });
    }

    static Mutant lease(
            String rule, String name, String seen, Function<ManualClock, BiFunction<FencedLocks, Lease, Lease>> wrap) {
        return lock(rule, name, seen, clock -> {
            BiFunction<FencedLocks, Lease, Lease> wrapLease = wrap.apply(clock);
            return (client, lock) -> new DelegateLock(lock) {
                @Override
                Lease wrap(Lease lease) {
                    return wrapLease.apply(client, lease);
                }
            };
        });
    }

    static Mutant register(String rule, String name, String seen, Supplier<UnaryOperator<FencedRegister>> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return new Changes(
                    name, right.backend(), right.outer(), right.client(), wrap.get(), right.server(), right.opener());
        });
    }

    /** One on a server that numbers grants and breaks. */
    static Mutant server(
            String rule,
            String name,
            String seen,
            Function<ManualClock, Controls> server,
            BiFunction<FencedLockBackend, Controls, FencedLockBackend> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Controls shared = server.apply(clock);
            Changes right = Changes.none(name);
            return new Changes(
                    name,
                    backend -> wrap.apply(backend, shared),
                    right.outer(),
                    right.client(),
                    right.register(),
                    shared,
                    right.opener());
        });
    }

    /** One that reads its configuration wrong. */
    static Mutant opener(String rule, String name, String seen, Configured.Opener opener) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return new Changes(
                    name, right.backend(), right.outer(), right.client(), right.register(), right.server(), opener);
        });
    }
}
