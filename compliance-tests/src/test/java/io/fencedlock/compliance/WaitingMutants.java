package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

final class WaitingMutants {

    private WaitingMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.lock(
                        "WAI-1",
                        "a try without wait waits",
                        "Redisson, redisson#543",
                        clock -> (client, lock) -> new DelegateLock(lock) {
                            @Override
                            public Optional<Lease> tryAcquire() throws InterruptedException {
                                return right.tryAcquire(Duration.ofSeconds(5));
                            }
                        }),
                Mutant.lock(
                        "WAI-1",
                        "the limit covers one inner wait only",
                        "Curator: acquire(1 s) in 17.5 s",
                        clock -> (client, lock) -> new DelegateLock(lock) {
                            @Override
                            public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
                                Optional<Lease> lease = right.tryAcquire(maxWait);
                                for (int i = 0; i < 20 && lease.isEmpty() && !maxWait.isZero(); i++) {
                                    lease = right.tryAcquire(maxWait);
                                }
                                return lease;
                            }
                        }),
                Mutant.backend(
                        "WAI-2",
                        "who timed out stays in the queue",
                        "jetcd's ghost holder, jetcd#291",
                        clock -> backend -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Void> abandon(LockName name, HolderId holder) {
                                return CompletableFuture.completedFuture(null);
                            }
                        }),
                Mutant.backend(
                        "WAI-3",
                        "waiters poll",
                        "ShedLock, Spring Integration",
                        clock -> backend -> unheard(backend, Duration.ZERO)),
                Mutant.backend(
                        "WAI-8",
                        "a lost wake-up is never made good",
                        "redisson#5070, #763",
                        clock -> backend -> unheard(backend, Duration.ofDays(1))),
                queued("WAI-4", "a dead waiter keeps its place", "Redisson's fair lock, redisson#3004", false),
                queued("WAI-5", "the newest waiter is served first", "redisson#3730", true),
                Mutant.lock(
                        "WAI-6",
                        "interruption is swallowed",
                        "spring-integration#11409",
                        clock -> (client, lock) -> new DelegateLock(lock) {
                            @Override
                            public Lease acquire() {
                                while (true) {
                                    try {
                                        return right.acquire();
                                    } catch (InterruptedException e) {
                                        continue;
                                    }
                                }
                            }
                        }),
                Mutant.lock(
                        "WAI-7",
                        "the asynchronous form blocks its caller",
                        "own list",
                        clock -> (client, lock) -> new DelegateLock(lock) {
                            @Override
                            public CompletableFuture<Lease> acquireAsync() {
                                CompletableFuture<Lease> future = right.acquireAsync();
                                try {
                                    future.get();
                                } catch (InterruptedException | ExecutionException e) {
                                    future.completeExceptionally(e);
                                }
                                return future;
                            }
                        }),
                Mutant.lock(
                        "WAI-9",
                        "a negative wait is taken as none",
                        "own list",
                        clock -> (client, lock) -> new DelegateLock(lock) {
                            @Override
                            public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
                                return right.tryAcquire(maxWait.isNegative() ? Duration.ZERO : maxWait);
                            }
                        }));
    }

    /** No wake-up comes; the waiter asks again after the re-check time, or another time if that is not zero. */
    private static FencedLockBackend unheard(FencedLockBackend backend, Duration recheck) {
        return new DelegateBackend(backend) {
            @Override
            public CompletionStage<Attempt> acquire(AcquireRequest request) {
                return right.acquire(request)
                        .thenApply(attempt -> attempt instanceof Attempt.Held held && request.waits()
                                ? new Attempt.Held(
                                        recheck.isZero() ? held.recheck() : recheck, new CompletableFuture<>())
                                : attempt);
            }
        };
    }

    /** A queue in front of the store's own, without a limit to the life of its members. */
    private static Mutant queued(String rule, String name, String seen, boolean newestFirst) {
        return Mutant.backend(rule, name, seen, clock -> {
            Map<LockName, Deque<HolderId>> queues = new ConcurrentHashMap<>();
            return backend -> new DelegateBackend(backend) {
                @Override
                public CompletionStage<Attempt> acquire(AcquireRequest r) {
                    Deque<HolderId> queue = queues.computeIfAbsent(r.name(), n -> new ArrayDeque<>());
                    synchronized (queue) {
                        boolean next = queue.isEmpty()
                                || (newestFirst ? queue.getLast() : queue.getFirst()).equals(r.holder());
                        if (next) {
                            AcquireRequest single = new AcquireRequest(r.name(), r.holder(), r.lease(), Duration.ZERO);
                            Attempt attempt =
                                    right.acquire(single).toCompletableFuture().join();
                            if (attempt instanceof Attempt.Granted) {
                                queue.remove(r.holder());
                                return CompletableFuture.completedFuture(attempt);
                            }
                        }
                        if (r.waits() && !queue.contains(r.holder())) {
                            queue.addLast(r.holder());
                        }
                    }
                    return CompletableFuture.completedFuture(
                            new Attempt.Held(Duration.ofMillis(10), new CompletableFuture<>()));
                }

                @Override
                public CompletionStage<Void> abandon(LockName lock, HolderId holder) {
                    Deque<HolderId> queue = queues.computeIfAbsent(lock, n -> new ArrayDeque<>());
                    synchronized (queue) {
                        queue.remove(holder);
                    }
                    return right.abandon(lock, holder);
                }
            };
        });
    }
}
