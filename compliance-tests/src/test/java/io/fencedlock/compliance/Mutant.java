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
import java.util.function.IntSupplier;
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

    private static Changes changes(
            String name,
            UnaryOperator<FencedLockBackend> backend,
            UnaryOperator<FencedLockBackend> outer,
            UnaryOperator<FencedLocks> client,
            UnaryOperator<FencedRegister> register,
            IntSupplier residue) {
        return new Changes(name, backend, outer, client, register, residue);
    }

    static Mutant backend(
            String rule, String name, String seen, Function<ManualClock, UnaryOperator<FencedLockBackend>> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return changes(name, wrap.apply(clock), right.outer(), right.client(), right.register(), right.residue());
        });
    }

    /** Wrong between the client and the line that breaks. */
    static Mutant outer(
            String rule, String name, String seen, Function<ManualClock, UnaryOperator<FencedLockBackend>> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return changes(name, right.backend(), wrap.apply(clock), right.client(), right.register(), right.residue());
        });
    }

    static Mutant client(
            String rule, String name, String seen, Function<ManualClock, UnaryOperator<FencedLocks>> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            Changes right = Changes.none(name);
            return changes(name, right.backend(), right.outer(), wrap.apply(clock), right.register(), right.residue());
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
            return changes(name, right.backend(), right.outer(), right.client(), wrap.get(), right.residue());
        });
    }

    /** One whose backends share a set of what they leave on the server. */
    static Mutant residue(
            String rule,
            String name,
            String seen,
            BiFunction<FencedLockBackend, java.util.Set<Object>, FencedLockBackend> wrap) {
        return new Mutant(name, seen, rule, clock -> {
            java.util.Set<Object> left = java.util.concurrent.ConcurrentHashMap.newKeySet();
            Changes right = Changes.none(name);
            return changes(
                    name,
                    backend -> wrap.apply(backend, left),
                    right.outer(),
                    right.client(),
                    right.register(),
                    left::size);
        });
    }
}
