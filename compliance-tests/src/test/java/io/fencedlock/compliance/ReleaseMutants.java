package io.fencedlock.compliance;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.Grant;
import io.fencedlock.HolderInfo;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.ManualClock;
import io.fencedlock.Release;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

final class ReleaseMutants {

    private ReleaseMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.backend(
                        "REL-1",
                        "release deletes by name",
                        "ShedLock's Redis default, etcd#22082",
                        clock -> ReleaseMutants::byName),
                Mutant.lease(
                        "REL-1",
                        "a late release claims success",
                        "Curator swallows NoNode",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public Release release() {
                                right.release();
                                return Release.RELEASED;
                            }
                        }),
                Mutant.lease(
                        "REL-2",
                        "a second release is sent, by name",
                        "CURATOR-678",
                        clock -> ReleaseMutants::sentAgain),
                Mutant.lease(
                        "REL-3",
                        "release gives up when interrupted",
                        "spring-integration#11049",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public Release release() {
                                return Thread.interrupted() ? Release.UNKNOWN : right.release();
                            }
                        }),
                Mutant.lease(
                        "REL-4",
                        "close throws after a loss",
                        "Spring Integration PR #9292",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public void close() {
                                if (release() == Release.NOT_HELD) {
                                    throw new IllegalStateException("the lock was lost");
                                }
                            }
                        }),
                Mutant.lease("REL-5", "release goes on in the background", "redisson#7272", ReleaseMutants::background),
                Mutant.lease(
                        "REL-6",
                        "the acquiring thread owns the lock",
                        "Redisson, Curator",
                        clock -> (client, lease) -> threadBound(lease)),
                Mutant.backend(
                        "REL-7",
                        "a forced release looks at no token",
                        "Redisson's forceUnlock()",
                        clock -> backend -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Release> forceRelease(LockName name, long token) {
                                return right.inspect(name)
                                        .thenCompose(found -> right.forceRelease(
                                                name,
                                                found.map(HolderInfo::token).orElse(token)));
                            }
                        }));
    }

    private static FencedLockBackend byName(FencedLockBackend backend) {
        return new DelegateBackend(backend) {
            @Override
            public CompletionStage<Release> release(Grant grant) {
                return right.inspect(grant.name())
                        .thenCompose(found -> right.forceRelease(
                                grant.name(), found.map(HolderInfo::token).orElse(grant.token())));
            }
        };
    }

    private static Lease sentAgain(FencedLocks client, Lease lease) {
        return new DelegateLease(lease) {
            private boolean released;

            @Override
            public Release release() {
                if (!released) {
                    released = true;
                    return right.release();
                }
                try {
                    String name = grant().name().value();
                    long token = client.inspect(name).map(HolderInfo::token).orElse(1L);
                    return client.forceRelease(name, token);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private static java.util.function.BiFunction<FencedLocks, Lease, Lease> background(ManualClock clock) {
        return (client, lease) -> new DelegateLease(lease) {
            @Override
            public Release release() {
                clock.schedule(Duration.ofMillis(50).toNanos(), () -> CompletableFuture.runAsync(right::release));
                return Release.RELEASED;
            }
        };
    }

    private static Lease threadBound(Lease lease) {
        Thread owner = Thread.currentThread();
        return new DelegateLease(lease) {
            @Override
            public Release release() {
                if (!owner.equals(Thread.currentThread())) {
                    throw new IllegalMonitorStateException("not the owner");
                }
                return right.release();
            }
        };
    }
}
