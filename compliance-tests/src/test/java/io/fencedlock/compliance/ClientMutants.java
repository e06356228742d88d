package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockException;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.LockOptions;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Clients and faults. */
final class ClientMutants {

    private ClientMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.client(
                        "CLI-1",
                        "closing frees nothing",
                        "jetcd#1063",
                        clock -> client -> new DelegateLocks(client) {
                            @Override
                            public void close() {}
                        }),
                Mutant.server(
                        "CLI-2",
                        "a counter key per name",
                        "redisson#6510",
                        clock -> new KeyPerName(),
                        (backend, server) -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Attempt> acquire(AcquireRequest request) {
                                ((KeyPerName) server).names().add(request.name());
                                return right.acquire(request);
                            }
                        }),
                answeredAsHeld(
                        "CLI-4", "a backend out of reach is answered as held", BackendUnavailableException.class),
                Mutant.lock(
                        "CLI-5",
                        "a closed client finds every lock held",
                        "own list",
                        clock -> (client, lock) -> new DelegateLock(lock) {
                            @Override
                            public Optional<Lease> tryAcquire() throws InterruptedException {
                                try {
                                    return right.tryAcquire();
                                } catch (IllegalStateException e) {
                                    return Optional.empty();
                                }
                            }
                        }),
                threadLeft(),
                Mutant.client(
                        "CLI-7",
                        "a short lease is made longer in silence",
                        "ZooKeeper, Z19",
                        clock -> client -> new DelegateLocks(client) {
                            @Override
                            public FencedLock get(String name, LockOptions options) {
                                Duration smallest = profile().smallestLease();
                                boolean small = options.lease().compareTo(smallest) < 0;
                                return right.get(name, small ? options.withLease(smallest) : options);
                            }
                        }),
                Mutant.backend(
                        "FLT-2",
                        "the entry of a dead holder stays",
                        "etcd#14019",
                        clock -> backend -> longLived(backend)),
                Mutant.lease(
                        "FLT-3",
                        "only the server ends a lease",
                        "CURATOR-460",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public boolean isValid() {
                                return true;
                            }
                        }),
                Mutant.backend(
                        "FLT-4",
                        "an attempt of unknown outcome is left alone",
                        "redisson#4109",
                        clock -> backend -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Attempt> acquire(AcquireRequest request) {
                                AcquireRequest other = new AcquireRequest(
                                        request.name(), HolderId.random(), request.lease(), request.maxWait());
                                return right.acquire(other);
                            }

                            @Override
                            public CompletionStage<Void> abandon(LockName name, HolderId holder) {
                                return CompletableFuture.completedFuture(null);
                            }
                        }),
                Mutant.outer(
                        "FLT-5",
                        "a lost reply to a release is answered NOT_HELD",
                        "CURATOR-678",
                        clock -> backend -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Release> release(Grant grant) {
                                return right.release(grant).exceptionally(error -> Release.NOT_HELD);
                            }
                        }),
                Mutant.outer(
                        "FLT-6",
                        "the lock is tied to its connection",
                        "redisson#3194",
                        clock -> backend -> tied(backend)),
                answeredAsHeld("FLT-7", "a silent server is answered as held", OutcomeUnknownException.class));
    }

    /** What is left on the server. */
    private record KeyPerName(Set<LockName> names) implements Controls {
        KeyPerName() {
            this(ConcurrentHashMap.newKeySet());
        }

        @Override
        public long entries() {
            return names.size();
        }
    }

    private static Mutant answeredAsHeld(String rule, String what, Class<? extends FencedLockException> swallowed) {
        return Mutant.lock(
                rule,
                what,
                "own list",
                clock -> (client, lock) -> new DelegateLock(lock) {
                    @Override
                    public Optional<Lease> tryAcquire() throws InterruptedException {
                        return tryAcquire(Duration.ZERO);
                    }

                    @Override
                    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
                        try {
                            return right.tryAcquire(maxWait);
                        } catch (FencedLockException e) {
                            if (swallowed.isInstance(e)) {
                                return Optional.empty();
                            }
                            throw e;
                        }
                    }
                });
    }

    private static Mutant threadLeft() {
        return Mutant.client("CLI-6", "each client leaves a thread", "curator#1277", clock -> client -> {
            Thread left = new Thread(
                    () -> {
                        try {
                            boolean never = new CountDownLatch(1).await(30, TimeUnit.SECONDS);
                            assert !never;
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "notifier");
            left.setDaemon(true);
            left.start();
            return new DelegateLocks(client);
        });
    }

    private static FencedLockBackend longLived(FencedLockBackend backend) {
        return new DelegateBackend(backend) {
            @Override
            public CompletionStage<Attempt> acquire(AcquireRequest r) {
                AcquireRequest longer =
                        new AcquireRequest(r.name(), r.holder(), r.lease().multipliedBy(50), r.maxWait());
                return right.acquire(longer).thenApply(attempt -> {
                    if (attempt instanceof Attempt.Granted g) {
                        Grant grant = new Grant(
                                r.name(),
                                r.holder(),
                                g.grant().token(),
                                r.lease(),
                                g.grant().ref());
                        return new Attempt.Granted(grant, new io.fencedlock.Liveness.Timed(r.lease()));
                    }
                    return attempt;
                });
            }
        };
    }

    private static FencedLockBackend tied(FencedLockBackend backend) {
        return new DelegateBackend(backend) {
            @Override
            public CompletionStage<Renewal> renew(Grant grant) {
                boolean killed = right instanceof BreakableBackend line && line.wasKilled();
                return killed ? CompletableFuture.completedFuture(new Renewal.NotHeld()) : right.renew(grant);
            }
        };
    }
}
