package io.fencedlock.torture;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import io.fencedlock.compliance.history.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What a worker does: its threads take locks at random, raise the mark, read, think, and write what they computed from what they read. They
 * never look whether the lease is still valid: that is the fence's business here. The first lock is held for long times, so that whatever
 * happens finds a holder; the others change hands quickly.
 */
final class Contest {
    private static final long PAUSE_MILLIS = 50;
    private static final int SLOW_ONE_IN = 12;

    private final FencedLocks locks;
    private final Recorder recorder;
    private final RemoteResource resource;
    private final Consumer<String> complaint;
    private final Duration lease;
    private final String worker;
    private final List<Random> dice = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong values = new AtomicLong();
    private volatile boolean running;

    Contest(
            FencedLocks locks,
            Recorder recorder,
            RemoteResource resource,
            Consumer<String> complaint,
            Duration lease,
            String worker,
            long seed,
            int count) {
        this.locks = locks;
        this.recorder = recorder;
        this.resource = resource;
        this.complaint = complaint;
        this.lease = lease;
        this.worker = worker;
        for (int i = 0; i < count; i++) {
            dice.add(new Random(seed * 31 + i));
        }
    }

    /** A JVM that has just started is slow: classes are loaded and connections are made before anything is measured. */
    void warmUp() {
        for (int tries = 0; tries < 3; tries++) {
            try (Lease first = locks.get(worker).tryAcquire(lease).orElse(null)) {
                if (first != null) {
                    return;
                }
            } catch (FencedLockException e) {
                sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Contends for the locks until {@link #stop}, then calls back. */
    void begin(List<String> names, Runnable idle) {
        running = true;
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Random random : dice) {
            all.add(CompletableFuture.runAsync(() -> contend(names, random), threads));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).whenComplete((done, failed) -> idle.run());
    }

    void stop() {
        running = false;
    }

    /** Ends the threads. */
    void end() {
        stop();
        threads.shutdown();
    }

    /** Holds each lock once, and says whether it could. */
    void last(Duration wait, List<String> names, Consumer<String> say, Runnable idle) {
        threads.execute(() -> {
            Random random = new Random(0);
            long begun = System.nanoTime();
            for (String name : names) {
                boolean got = false;
                while (!got && System.nanoTime() - begun < wait.toNanos()) {
                    got = round(name, wait, random, 0);
                }
                say.accept((got ? "got\t" : "missed\t") + name);
            }
            idle.run();
        });
    }

    /** Takes a lock and does not let go of it. */
    @SuppressWarnings("try") // renewal keeps it
    void hold(String name, Runnable held) {
        threads.execute(() -> {
            try {
                Lease unused = locks.get(name).acquire();
                held.run();
            } catch (FencedLockException e) {
                complaint.accept(name + ": " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void contend(List<String> names, Random random) {
        while (running) {
            boolean slow = random.nextInt(SLOW_ONE_IN) == 0;
            String name = slow ? names.get(0) : names.get(1 + random.nextInt(names.size() - 1));
            round(name, wait(random), random, slow ? slowly(random) : quickly(random));
        }
    }

    private Duration wait(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(300);
            case 2 -> lease.dividedBy(2);
            default -> lease.multipliedBy(2);
        };
    }

    private long quickly(Random random) {
        int kind = random.nextInt(100);
        if (kind < 78) {
            return random.nextInt(10);
        }
        return kind < 98 ? random.nextInt(100) : slowly(random);
    }

    /** Sometimes longer than the lease, which renewal then has to keep. */
    private long slowly(Random random) {
        return lease.toMillis() * (30 + random.nextInt(90)) / 100;
    }

    /** One acquisition and what is done with it; whether there was one. */
    private boolean round(String name, Duration wait, Random random, long thoughtMillis) {
        try {
            Optional<Lease> granted = recorder.tryAcquire(locks.get(name), wait);
            if (granted.isPresent()) {
                try {
                    write(name, granted.get(), random, thoughtMillis);
                } finally {
                    recorder.release(granted.get());
                }
            }
            return granted.isPresent();
        } catch (BackendUnavailableException | OutcomeUnknownException e) {
            sleep(PAUSE_MILLIS);
        } catch (RuntimeException e) {
            complaint.accept(name + ": " + e); // nothing else is promised to be thrown
            sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void write(String name, Lease held, Random random, long thoughtMillis) {
        try {
            String before = resource.advance(name, held.mark()).orElse(null);
            sleep(thoughtMillis);
            if (random.nextInt(8) == 0) {
                renew(held);
            }
            for (int writes = 1 + random.nextInt(2); writes > 0; writes--) {
                String value = worker + "-" + values.incrementAndGet();
                if (!recorder.write(resource.basedOn(before), name, held.mark(), before, value)) {
                    return;
                }
                before = value;
            }
        } catch (StaleTokenException e) {
            // refused when it read: somebody newer is at work
        }
    }

    private void renew(Lease held) {
        try {
            recorder.renew(held);
        } catch (BackendUnavailableException | OutcomeUnknownException e) {
            // the lease has the time it had
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
