package io.fencedlock.torture;

import io.fencedlock.FencedLockException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Kills holders together with the node that leads, and watches who waits. Used by one thread. */
final class Heirs {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 10;

    private final String backend;
    private final Arena arena;
    private final Duration lease;
    private final Random random;
    private final String names;

    Heirs(String backend, Arena arena, Duration lease, long seed) {
        this.backend = backend;
        this.arena = arena;
        this.lease = lease;
        random = new Random(seed);
        names = "heirs-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-";
    }

    List<Succession.Try> watch(int tries, Consumer<Succession.Try> each) throws InterruptedException {
        List<Succession.Try> all = new ArrayList<>();
        try (FencedLocks waiter = connect()) {
            for (int i = 1; i <= tries; i++) {
                Succession.Try one = once(waiter, names + i, i);
                all.add(one);
                each.accept(one);
            }
        }
        return all;
    }

    private FencedLocks connect() {
        return FencedLocks.configure()
                .url(arena.directUrl())
                .option("lease", lease.toMillis() + "ms")
                .connect();
    }

    private Succession.Try once(FencedLocks waiter, String name, int number) throws InterruptedException {
        try (Hand holder = new Hand("holder-" + number, 0, orders(number), new Chronicle(), desk())) {
            awaitLine(holder, "ready");
            holder.tell("hold", name);
            awaitLine(holder, "held");
            CompletableFuture<Lease> waiting = waiter.get(name).acquireAsync();
            await("the waiter does not stand in the queue", () -> waits(waiter, name));
            // The holder renews every third of the lease time: any moment between two renewals is as likely as another.
            TimeUnit.MILLISECONDS.sleep(random.nextInt((int) lease.toMillis()));
            Server leader = leaderOf(name);
            List<Server> before = arena.leaders();
            long killed = System.nanoTime();
            CompletableFuture<Void> gone = CompletableFuture.runAsync(leader::kill);
            holder.kill();
            CompletableFuture<Long> granted = waiting.thenApply(heir -> System.nanoTime());
            await("no other node leads", () -> another(before, leader));
            Duration election = Duration.ofNanos(System.nanoTime() - killed);
            Duration grant = Duration.ofNanos(result(granted) - killed);
            gone.join();
            leader.restart(Data.KEEP);
            arena.awaitWhole();
            result(waiting).close();
            return new Succession.Try(election, grant);
        }
    }

    private static Desk desk() {
        return new Desk(new Chronicle(), true);
    }

    private List<String> orders(int number) {
        return List.of(Integer.toString(number), "1", Long.toString(lease.toMillis()), arena.directUrl());
    }

    private static void awaitLine(Hand holder, String line) throws InterruptedException {
        Optional<String> said = holder.hear(PATIENCE);
        if (!said.equals(Optional.of(line))) {
            throw new IllegalStateException(
                    holder.name() + " was to say \"" + line + "\", and said " + said.orElse("nothing"));
        }
    }

    private static boolean waits(FencedLocks locks, String name) {
        try {
            return locks.inspect(name)
                    .filter(info -> info.waiters().orElse(0) == 1)
                    .isPresent();
        } catch (FencedLockException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Where every primary has locks of its own, the one that has this. */
    private Server leaderOf(String name) {
        if (!arena.losesWrites()) {
            return arena.leader();
        }
        return arena.leaders().stream()
                .filter(node -> node.contents().keys().stream().anyMatch(key -> key.endsWith(name)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no primary of " + backend + " has the lock " + name));
    }

    private boolean another(List<Server> before, Server than) {
        return arena.leaders().stream().anyMatch(node -> !node.equals(than) && !before.contains(node));
    }

    private static void await(String sentence, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException(sentence + " within " + PATIENCE.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static <T> T result(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the waiter failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the waiter has no lock within " + PATIENCE.toSeconds() + " s", e);
        }
    }
}
