package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderInfo;
import io.fencedlock.Liveness;
import io.fencedlock.LockName;
import io.fencedlock.LockOptions;
import io.fencedlock.ManualClock;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Exclusion and leases. */
final class LeaseMutants {

    private LeaseMutants() {}

    static List<Mutant> all() {
        return List.of(
                noExclusion(),
                Mutant.backend(
                        "EXC-2",
                        "the name ends at a slash",
                        "etcd's mutex, etcd#6278",
                        clock -> backend -> renamed(
                                backend,
                                name -> name.contains("/")
                                        ? "x" + name.substring(0, name.lastIndexOf('/'))
                                        : "x" + name)),
                Mutant.client(
                        "EXC-3",
                        "wrong names are repaired in silence",
                        "own list",
                        clock -> client -> new DelegateLocks(client) {
                            @Override
                            public FencedLock get(String name) {
                                try {
                                    return right.get(name);
                                } catch (IllegalArgumentException e) {
                                    return right.get("repaired");
                                }
                            }
                        }),
                ownedByTheSession(),
                Mutant.backend(
                        "EXC-5",
                        "names are trimmed and folded",
                        "SQL collations",
                        clock ->
                                backend -> renamed(backend, name -> name.strip().toLowerCase(java.util.Locale.ROOT))),
                Mutant.backend(
                        "EXC-6",
                        "inspection looks at another key",
                        "own list",
                        clock -> backend -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
                                return right.inspect(new LockName(name.value() + "-other"));
                            }
                        }),
                Mutant.client(
                        "LEA-1",
                        "renewed without being asked",
                        "Redisson's watchdog",
                        clock -> client -> new DelegateLocks(client) {
                            @Override
                            public FencedLock get(String name, LockOptions options) {
                                return right.get(name, new LockOptions(options.lease(), true, options.maxHold()));
                            }
                        }),
                Mutant.backend(
                        "FLT-2",
                        "the entry never expires",
                        "Curator's dead owner thread, CURATOR-347",
                        clock -> backend -> leased(backend, asked -> Duration.ofDays(1))),
                Mutant.backend(
                        "LEA-2",
                        "the lease argument is ignored",
                        "Redisson's lockAndGetToken",
                        clock -> backend -> leased(backend, asked -> Duration.ofSeconds(2))),
                Mutant.backend(
                        "LEA-3",
                        "validity is counted too long",
                        "ShedLock's keep-alive",
                        clock -> LeaseMutants::optimistic),
                Mutant.backend(
                        "LEA-4",
                        "renewal ends after its first round",
                        "ShedLock's extender, redisson#6844",
                        clock -> backend -> renewedTimes(backend, 1)),
                Mutant.backend(
                        "LEA-5",
                        "a late renewal writes the entry again",
                        "DynamoDB PR #116",
                        LeaseMutants::resurrecting),
                Mutant.backend(
                        "LEA-6",
                        "the lease time is a field of the client",
                        "Redisson, R31",
                        clock -> LeaseMutants::firstLeaseForAll),
                Mutant.backend(
                        "LEA-7",
                        "an explicit renewal is local only",
                        "own list",
                        clock -> backend -> renewedTimes(backend, 0)),
                Mutant.client(
                        "LEA-8",
                        "the longest hold time is not looked at",
                        "redisson#1966",
                        clock -> client -> new DelegateLocks(client) {
                            @Override
                            public FencedLock get(String name, LockOptions options) {
                                return right.get(
                                        name, new LockOptions(options.lease(), options.renewed(), Optional.empty()));
                            }
                        }),
                Mutant.lease(
                        "LEA-9",
                        "no local validity",
                        "Curator, jetcd",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public boolean isValid() {
                                return true;
                            }

                            @Override
                            public void ensureValid() {}
                        }));
    }

    static FencedLockBackend renamed(FencedLockBackend backend, UnaryOperator<String> rename) {
        return new DelegateBackend(backend) {
            private LockName wrong(LockName name) {
                return new LockName(rename.apply(name.value()));
            }

            private Grant wrong(Grant grant) {
                return new Grant(wrong(grant.name()), grant.holder(), grant.token(), grant.leaseTime(), grant.ref());
            }

            @Override
            public CompletionStage<Attempt> acquire(AcquireRequest r) {
                return right.acquire(new AcquireRequest(wrong(r.name()), r.holder(), r.lease(), r.maxWait()))
                        .thenApply(attempt -> attempt instanceof Attempt.Granted g
                                ? new Attempt.Granted(
                                        new Grant(
                                                r.name(),
                                                r.holder(),
                                                g.grant().token(),
                                                g.grant().leaseTime(),
                                                g.grant().ref()),
                                        g.liveness())
                                : attempt);
            }

            @Override
            public CompletionStage<Renewal> renew(Grant grant) {
                return right.renew(wrong(grant));
            }

            @Override
            public CompletionStage<Release> release(Grant grant) {
                return right.release(wrong(grant));
            }

            @Override
            public CompletionStage<Void> abandon(LockName name, io.fencedlock.HolderId holder) {
                return right.abandon(wrong(name), holder);
            }

            @Override
            public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
                return right.inspect(wrong(name));
            }

            @Override
            public CompletionStage<Release> forceRelease(LockName name, long token) {
                return right.forceRelease(wrong(name), token);
            }
        };
    }

    private static Mutant noExclusion() {
        return Mutant.backend(
                "EXC-1",
                "acquire in two steps: both see the lock free",
                "Spring Integration, spring-integration#8687",
                clock -> {
                    AtomicLong extra = new AtomicLong();
                    return backend -> new DelegateBackend(backend) {
                        @Override
                        public CompletionStage<Attempt> acquire(AcquireRequest r) {
                            return right.acquire(r).thenApply(attempt -> {
                                if (attempt instanceof Attempt.Held && r.waits() && extra.incrementAndGet() % 3 == 0) {
                                    Grant twin = new Grant(
                                            r.name(),
                                            r.holder(),
                                            Long.MAX_VALUE / 2 + extra.get(),
                                            r.lease(),
                                            io.fencedlock.BackendRef.NONE);
                                    return new Attempt.Granted(twin, new Liveness.Timed(r.lease()));
                                }
                                return attempt;
                            });
                        }
                    };
                });
    }

    private static Mutant ownedByTheSession() {
        return Mutant.backend(
                "EXC-4", "the session owns the lock, not the acquisition", "etcd#10756, jetcd", clock -> backend -> {
                    Map<LockName, Attempt.Granted> mine = new ConcurrentHashMap<>();
                    return new DelegateBackend(backend) {
                        @Override
                        public CompletionStage<Attempt> acquire(AcquireRequest request) {
                            Attempt.Granted held = mine.get(request.name());
                            return held != null
                                    ? CompletableFuture.completedFuture(held)
                                    : right.acquire(request).thenApply(attempt -> {
                                        if (attempt instanceof Attempt.Granted granted) {
                                            mine.put(request.name(), granted);
                                        }
                                        return attempt;
                                    });
                        }

                        @Override
                        public CompletionStage<Release> release(Grant grant) {
                            mine.remove(grant.name());
                            return right.release(grant);
                        }
                    };
                });
    }

    /** The store keeps another time than the grant says. */
    private static FencedLockBackend leased(FencedLockBackend backend, UnaryOperator<Duration> change) {
        return new DelegateBackend(backend) {
            @Override
            public CompletionStage<Attempt> acquire(AcquireRequest r) {
                return right.acquire(new AcquireRequest(r.name(), r.holder(), change.apply(r.lease()), r.maxWait()))
                        .thenApply(attempt -> attempt instanceof Attempt.Granted g ? asAsked(g, r.lease()) : attempt);
            }
        };
    }

    private static Attempt.Granted asAsked(Attempt.Granted granted, Duration asked) {
        Grant g = granted.grant();
        return new Attempt.Granted(
                new Grant(g.name(), g.holder(), g.token(), asked, g.ref()), new Liveness.Timed(asked));
    }

    private static FencedLockBackend optimistic(FencedLockBackend backend) {
        return new DelegateBackend(backend) {
            @Override
            public CompletionStage<Attempt> acquire(AcquireRequest r) {
                return right.acquire(r)
                        .thenApply(attempt -> attempt instanceof Attempt.Granted g
                                ? new Attempt.Granted(
                                        g.grant(), new Liveness.Timed(r.lease().multipliedBy(2)))
                                : attempt);
            }
        };
    }

    private static FencedLockBackend renewedTimes(FencedLockBackend backend, int times) {
        Map<Grant, AtomicLong> renewals = new ConcurrentHashMap<>();
        return new DelegateBackend(backend) {
            @Override
            public CompletionStage<Renewal> renew(Grant grant) {
                long done =
                        renewals.computeIfAbsent(grant, g -> new AtomicLong()).getAndIncrement();
                return done < times
                        ? right.renew(grant)
                        : CompletableFuture.completedFuture(new Renewal.Renewed(grant.leaseTime()));
            }
        };
    }

    private static UnaryOperator<FencedLockBackend> resurrecting(ManualClock clock) {
        return backend -> new DelegateBackend(backend) {
            @Override
            public CompletionStage<Renewal> renew(Grant grant) {
                CompletableFuture<Renewal> reply = new CompletableFuture<>();
                AcquireRequest again =
                        new AcquireRequest(grant.name(), grant.holder(), grant.leaseTime(), Duration.ZERO);
                clock.schedule(
                        Duration.ofMillis(300).toNanos(),
                        () -> right.acquire(again)
                                .thenAccept(attempt -> reply.complete(
                                        attempt instanceof Attempt.Granted
                                                ? new Renewal.Renewed(grant.leaseTime())
                                                : new Renewal.NotHeld())));
                return reply;
            }
        };
    }

    private static FencedLockBackend firstLeaseForAll(FencedLockBackend backend) {
        Duration[] first = new Duration[1];
        return leased(backend, asked -> {
            first[0] = first[0] == null ? asked : first[0];
            return first[0];
        });
    }
}
