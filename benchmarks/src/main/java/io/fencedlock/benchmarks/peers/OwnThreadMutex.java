package io.fencedlock.benchmarks.peers;

import io.fencedlock.Release;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A mutex object and a thread for each acquisition, so that whoever holds the handle can release. */
final class OwnThreadMutex implements PeerMutex {

    private final CuratorPeerClient client;
    private final String name;
    private final Runnable afterRelease;

    OwnThreadMutex(CuratorPeerClient client, String name, Runnable afterRelease) {
        this.client = client;
        this.name = name;
        this.afterRelease = afterRelease;
    }

    @Override
    public PeerHold acquire() throws Exception {
        return new Owner()
                .acquire(mutex -> {
                    mutex.acquire();
                    return true;
                })
                .orElseThrow();
    }

    @Override
    public Optional<PeerHold> tryAcquire(Duration wait) throws Exception {
        return new Owner().acquire(mutex -> mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public CompletableFuture<PeerHold> acquireAsync() {
        return new Owner().acquireAsync();
    }

    /** Waits for a mutex in its thread. */
    private interface Try {
        boolean acquires(PathMutex mutex) throws Exception;
    }

    private final class Owner {

        private final PathMutex mutex = new PathMutex(client.curator(), CuratorPeerClient.path(name));
        private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "peer-owner");
            made.setDaemon(true);
            return made;
        });

        Optional<PeerHold> acquire(Try how) throws Exception {
            Future<Boolean> trying = thread.submit(() -> how.acquires(mutex));
            try {
                if (await(trying)) {
                    return Optional.of(onThread(() -> new CuratorHold(client, mutex, this::release)));
                }
                thread.shutdown();
                return Optional.empty();
            } catch (Exception e) {
                giveUp(trying);
                throw e;
            }
        }

        CompletableFuture<PeerHold> acquireAsync() {
            CompletableFuture<PeerHold> answer = new CompletableFuture<>();
            Future<Boolean> trying = thread.submit(() -> {
                try {
                    mutex.acquire();
                    if (!answer.complete(new CuratorHold(client, mutex, this::release))) {
                        mutex.release();
                    }
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
                return true;
            });
            answer.whenComplete((hold, thrown) -> {
                if (thrown instanceof CancellationException) {
                    giveUp(trying);
                }
            });
            return answer;
        }

        /** Interrupts the wait; what was acquired all the same is given back. */
        private void giveUp(Future<Boolean> trying) {
            trying.cancel(true);
            thread.submit(() -> {
                if (mutex.isOwnedByCurrentThread()) {
                    mutex.release();
                }
                return true;
            });
            thread.shutdown();
        }

        private Release release() throws Exception {
            try {
                onThread(() -> {
                    mutex.release();
                    return true;
                });
                return Release.RELEASED;
            } catch (RejectedExecutionException e) {
                throw new IllegalMonitorStateException("released before");
            } finally {
                if (!mutex.isAcquiredInThisProcess()) {
                    thread.shutdown();
                    afterRelease.run();
                }
            }
        }

        /** Also for a caller that was interrupted: the flag is kept. */
        private <T> T onThread(Callable<T> task) throws Exception {
            boolean interrupted = Thread.interrupted();
            try {
                return await(thread.submit(task));
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private <T> T await(Future<T> asked) throws Exception {
            try {
                return asked.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }
}
