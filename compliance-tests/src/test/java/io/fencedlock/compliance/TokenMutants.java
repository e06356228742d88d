package io.fencedlock.compliance;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.StaleTokenException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

final class TokenMutants {

    private TokenMutants() {}

    private static Mutant renumbered(
            String rule,
            String name,
            String seen,
            BiFunction<FencedLockBackend, Map<HolderId, Long>, FencedLockBackend> wrap) {
        return Mutant.backend(rule, name, seen, clock -> {
            Map<HolderId, Long> numbers = new ConcurrentHashMap<>();
            return backend -> wrap.apply(backend, numbers);
        });
    }

    static List<Mutant> all() {
        return List.of(
                Mutant.lease(
                        "TOK-1",
                        "token 0 after a lost reply",
                        "Curator",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public long token() {
                                return 0;
                            }
                        }),
                counterDeletedOnRelease(),
                renumbered(
                        "TOK-2",
                        "random token",
                        "DynamoDB lock client",
                        (backend, numbers) -> new Renumbered(
                                backend,
                                numbers,
                                grant -> 1 + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - 1))),
                renumbered("TOK-3", "counter per process", "nexus#2099", (backend, numbers) -> {
                    AtomicLong own = new AtomicLong(1_000);
                    return new Renumbered(backend, numbers, grant -> own.incrementAndGet());
                }),
                Mutant.lease(
                        "TOK-4",
                        "token raised by each renewal",
                        "Redisson's re-entry",
                        clock -> (client, lease) -> raising(lease)),
                readAnew(),
                counterEndsWithTheClient(),
                renumbered(
                        "TOK-7",
                        "tokens pass through doubles",
                        "SyncGuard ADR-004",
                        (backend, numbers) -> new Renumbered(backend, numbers, grant -> (long) (double) grant.token())),
                Mutant.register(
                        "TOK-7",
                        "the fence compares doubles",
                        "Lua numbers",
                        () -> register -> new DelegateRegister(register) {
                            @Override
                            public void write(String resource, FenceMark mark, String value) {
                                mark(resource).ifPresent(stands -> {
                                    if ((double) mark.token() < (double) stands.token()) {
                                        throw new StaleTokenException(resource, mark.token(), stands.token());
                                    }
                                });
                                right.remove(resource);
                                right.write(resource, mark, value);
                            }
                        }),
                newTokenForEachRequest(),
                Mutant.backend(
                        "TOK-9",
                        "raising the tokens does nothing",
                        "own list",
                        clock -> backend -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Void> raiseTokens(long floor) {
                                return CompletableFuture.completedFuture(null);
                            }
                        }));
    }

    private static DelegateLease raising(io.fencedlock.Lease lease) {
        AtomicLong renewals = new AtomicLong();
        return new DelegateLease(lease) {
            @Override
            public void renew() throws InterruptedException {
                right.renew();
                renewals.incrementAndGet();
            }

            @Override
            public long token() {
                return right.token() + renewals.get();
            }
        };
    }

    private static Mutant counterDeletedOnRelease() {
        return Mutant.backend(
                "TOK-2", "counter deleted with the lock entry", ".NET DistributedLock on MongoDB", clock -> {
                    Map<HolderId, Long> numbers = new ConcurrentHashMap<>();
                    Map<LockName, AtomicLong> counters = new ConcurrentHashMap<>();
                    Function<Grant, AtomicLong> counter =
                            grant -> counters.computeIfAbsent(grant.name(), n -> new AtomicLong());
                    return backend ->
                            new Renumbered(
                                    backend,
                                    numbers,
                                    grant -> counter.apply(grant).incrementAndGet()) {
                                @Override
                                public CompletionStage<Release> release(Grant grant) {
                                    counters.remove(grant.name());
                                    return super.release(grant);
                                }
                            };
                });
    }

    private static Mutant counterEndsWithTheClient() {
        return Mutant.backend("TOK-6", "counter starts again when a client ends", "Redisson's delete()", clock -> {
            Map<HolderId, Long> numbers = new ConcurrentHashMap<>();
            AtomicLong counter = new AtomicLong();
            UnaryOperator<FencedLockBackend> wrap =
                    backend -> new Renumbered(backend, numbers, grant -> counter.incrementAndGet()) {
                        @Override
                        public void close() {
                            counter.set(0);
                            super.close();
                        }
                    };
            return wrap;
        });
    }

    private static Mutant newTokenForEachRequest() {
        return Mutant.backend(
                "TOK-8", "a repeated request is a second acquisition", "Redisson, redisson#7367", clock -> {
                    Map<HolderId, Long> numbers = new ConcurrentHashMap<>();
                    AtomicLong counter = new AtomicLong();
                    return backend -> new Renumbered(backend, numbers, grant -> 0) {
                        @Override
                        long number(Grant grant) {
                            long next = counter.incrementAndGet();
                            numbers.put(grant.holder(), next);
                            return next;
                        }
                    };
                });
    }

    private static Mutant readAnew() {
        return Mutant.lease("TOK-5", "token read from the store when asked", "Redisson's getToken()", clock -> {
            Map<LockName, AtomicLong> newest = new ConcurrentHashMap<>();
            return (client, lease) -> {
                newest.computeIfAbsent(lease.grant().name(), n -> new AtomicLong())
                        .set(lease.token());
                return new DelegateLease(lease) {
                    @Override
                    public long token() {
                        return newest.get(grant().name()).get();
                    }
                };
            };
        });
    }
}
