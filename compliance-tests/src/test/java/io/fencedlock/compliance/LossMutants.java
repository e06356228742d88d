package io.fencedlock.compliance;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.Grant;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LossReason;
import io.fencedlock.ManualClock;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

final class LossMutants {

    private LossMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.lease(
                        "LOS-1",
                        "a loss is never told",
                        "kubernetes-client#5463, Redisson",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public Lease onLost(Consumer<LossReason> callback) {
                                return this;
                            }
                        }),
                Mutant.lease(
                        "LOS-1",
                        "a loss is told twice",
                        "kubernetes-client#7343",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public Lease onLost(Consumer<LossReason> callback) {
                                right.onLost(callback);
                                right.onLost(callback);
                                return this;
                            }
                        }),
                toldAfterRelease(),
                Mutant.outer(
                        "LOS-3",
                        "a late answer is taken as a loss",
                        "jetcd#965, Curator's SUSPENDED",
                        LossMutants::impatient),
                Mutant.lease("LOS-4", "all callbacks share one thread", "jetcd#1089", clock -> oneThread()),
                Mutant.backend(
                        "LOS-5",
                        "renewal does not look at the entry",
                        "etcd#14758",
                        clock -> backend -> new DelegateBackend(backend) {
                            @Override
                            public CompletionStage<Renewal> renew(Grant grant) {
                                return right.renew(grant).thenApply(found -> new Renewal.Renewed(grant.leaseTime()));
                            }
                        }),
                Mutant.lease(
                        "LOS-6",
                        "a renewal after the loss says nothing",
                        "DynamoDB, Redisson",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public void renew() throws InterruptedException {
                                try {
                                    right.renew();
                                } catch (LeaseLostException e) {
                                    return;
                                }
                            }
                        }),
                Mutant.lease(
                        "LOS-7",
                        "listeners see later events only",
                        "own list",
                        clock -> (client, lease) -> new DelegateLease(lease) {
                            @Override
                            public Lease onLost(Consumer<LossReason> callback) {
                                if (isValid()) {
                                    right.onLost(callback);
                                }
                                return this;
                            }
                        }));
    }

    private static Mutant toldAfterRelease() {
        return Mutant.lease(
                "LOS-2",
                "a release is told as a loss",
                "own list",
                clock -> (client, lease) -> new DelegateLease(lease) {
                    private volatile Consumer<LossReason> told = reason -> {};

                    @Override
                    public Lease onLost(Consumer<LossReason> callback) {
                        told = callback;
                        right.onLost(callback);
                        return this;
                    }

                    @Override
                    public Release release() {
                        boolean held = right.isValid();
                        Release answer = right.release();
                        if (held) {
                            told.accept(LossReason.NOT_HELD);
                        }
                        return answer;
                    }
                });
    }

    private static UnaryOperator<FencedLockBackend> impatient(ManualClock clock) {
        return backend -> new DelegateBackend(backend) {
            @Override
            public CompletionStage<Renewal> renew(Grant grant) {
                CompletableFuture<Renewal> reply = right.renew(grant).toCompletableFuture();
                CompletableFuture<Renewal> given = reply.exceptionally(error -> new Renewal.NotHeld());
                clock.schedule(Duration.ofMillis(100).toNanos(), () -> given.complete(new Renewal.NotHeld()));
                return given;
            }
        };
    }

    private static BiFunction<FencedLocks, Lease, Lease> oneThread() {
        ExecutorService one = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "fencedlock-one");
            thread.setDaemon(true);
            return thread;
        });
        return (client, lease) -> new DelegateLease(lease) {
            @Override
            public Lease onLost(Consumer<LossReason> callback) {
                right.onLost(reason -> one.execute(() -> callback.accept(reason)));
                return this;
            }
        };
    }
}
