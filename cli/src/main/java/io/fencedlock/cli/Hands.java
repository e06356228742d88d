package io.fencedlock.cli;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderInfo;
import io.fencedlock.Lease;
import io.fencedlock.LockOptions;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a worker can do: an ordinary user of the library, who does what the orders say. Used by one thread. */
final class Hands implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_MILLIS = 50;

    private final FencedLocks locks;
    private final FencedRegister register;
    private @Nullable Lease lease;

    Hands(FencedLocks locks, FencedRegister register) {
        this.locks = locks;
        this.register = register;
    }

    /** A register's action, which may be repeated. */
    private interface Action {
        void run() throws InterruptedException;
    }

    Message perform(Message order) {
        try {
            return switch (order.text(Message.VERB)) {
                case "ready" -> ready(order);
                case "acquire" -> acquire(order);
                case "check" -> Message.report().with("valid", held().isValid());
                case "write" -> write(order);
                case "advance" -> advance(order);
                case "read" -> read(order);
                case "release" ->
                    Message.report().with("release", held().release().name());
                case "delete" -> delete(order);
                case "remove" -> remove(order);
                default -> throw new IllegalArgumentException("unknown order " + order);
            };
        } catch (RuntimeException e) {
            return Message.report().with(Message.ERROR, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Message.report().with(Message.ERROR, "interrupted");
        }
    }

    /** Makes the connections, so that the timeline that follows is not about the start of a JVM. */
    private Message ready(Message order) throws InterruptedException {
        String name = order.text("name");
        patiently(() -> locks.inspect(name));
        patiently(() -> register.read(name));
        return Message.report();
    }

    private Message acquire(Message order) throws InterruptedException {
        LockOptions options = LockOptions.lease(Duration.ofMillis(order.number("leaseMs")));
        LockOptions chosen = order.is("renewed") ? options : options.withoutRenewal();
        Optional<Lease> granted =
                locks.get(order.text("lock"), chosen).tryAcquire(Duration.ofMillis(order.number("waitMs")));
        granted.ifPresent(it -> lease = it);
        Message report = Message.report().with("granted", granted.isPresent());
        return granted.isPresent() ? report.with("token", held().token()) : report;
    }

    private Lease held() {
        if (lease == null) {
            throw new IllegalStateException("no lease was acquired");
        }
        return lease;
    }

    private Message write(Message order) throws InterruptedException {
        String resource = order.text("resource");
        String value = order.text("value");
        Lease shown = held();
        Action write = order.is("fenced")
                ? () -> register.write(resource, shown.mark(), value)
                : () -> register.writeUnfenced(resource, value);
        return accepted(write);
    }

    private Message advance(Message order) throws InterruptedException {
        Lease shown = held();
        return accepted(() -> register.advance(order.text("resource"), shown.mark()));
    }

    private Message accepted(Action write) throws InterruptedException {
        try {
            patiently(write);
            return Message.report().with("accepted", true);
        } catch (StaleTokenException e) {
            return Message.report()
                    .with("accepted", false)
                    .with("staleToken", e.staleToken())
                    .with("acceptedToken", e.acceptedToken());
        }
    }

    private Message read(Message order) throws InterruptedException {
        String resource = order.text("resource");
        Message[] report = {Message.report()};
        patiently(() -> report[0] = register.read(resource)
                .map(value -> Message.report().with("value", value))
                .orElse(Message.report()));
        return report[0];
    }

    /** What a release does that does not look whose lock it is: DEL in Redis. */
    private Message delete(Message order) throws InterruptedException {
        Optional<HolderInfo> holder = locks.inspect(order.text("lock"));
        if (holder.isEmpty()) {
            return Message.report();
        }
        locks.forceRelease(order.text("lock"), holder.get().token());
        return Message.report().with("deletedToken", holder.get().token());
    }

    private Message remove(Message order) throws InterruptedException {
        patiently(() -> register.remove(order.text("resource")));
        return Message.report();
    }

    /** A worker that was paused finds its connections broken: they come back by themselves. */
    private static void patiently(Action action) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                action.run();
                return;
            } catch (BackendUnavailableException | OutcomeUnknownException e) {
                giveUpIfLate(start, e);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }

    private static void giveUpIfLate(long start, FencedLockException e) {
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
            throw e;
        }
    }

    @Override
    public void close() {
        locks.close();
        register.close();
    }
}
