package io.fencedlock.cli.replay;

import io.fencedlock.BackendUnavailableException;
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
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 50;

    private final Tools tools;
    private @Nullable Lease lease;

    Hands(Tools tools) {
        this.tools = tools;
    }

    /** What may be repeated when the store was not reached. */
    private interface Action<T> {
        T run() throws InterruptedException;
    }

    Message perform(Message order) {
        try {
            return switch (order.text(Message.VERB)) {
                case "ready" -> ready(order);
                case "acquire" -> acquire(order);
                case "inspect" -> inspect(order);
                case "check" -> Message.report().with("valid", held().isValid());
                case "release" ->
                    Message.report().with("release", held().release().name());
                case "write" -> write(order);
                case "advance" -> accepted(() -> register(order).advance(order.text("resource"), held().mark()));
                case "read" -> read(order);
                case "remove" -> remove(order);
                case "take" -> take(order);
                case "delete" -> delete(order);
                default -> tools.desk().perform(order);
            };
        } catch (RuntimeException e) {
            return Message.report().with(Message.ERROR, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Message.report().with(Message.ERROR, "interrupted");
        }
    }

    /** Does everything once, so that the timeline that follows is not about the start of a JVM. */
    private Message ready(Message order) throws InterruptedException {
        String name = order.text("lock");
        LockOptions options = LockOptions.lease(Duration.ofMillis(order.number("leaseMs")));
        FencedRegister register = register(order);
        return patiently(() -> {
            try (Lease first = tools.locks().get(name, options).acquire()) {
                register.write(name, first.mark(), name);
            }
            register.read(name);
            register.remove(name);
            return Message.report();
        });
    }

    private Message acquire(Message order) throws InterruptedException {
        LockOptions options = LockOptions.lease(Duration.ofMillis(order.number("leaseMs")));
        LockOptions chosen = order.is("renewed") ? options : options.withoutRenewal();
        Duration wait = Duration.ofMillis(order.number("waitMs"));
        Optional<Lease> granted =
                patiently(() -> tools.locks().get(order.text("lock"), chosen).tryAcquire(wait));
        granted.ifPresent(it -> lease = it);
        Message report = Message.report().with("granted", granted.isPresent());
        return granted.isPresent() ? report.with("token", held().token()) : report;
    }

    private Message inspect(Message order) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            Optional<HolderInfo> holder = patiently(() -> tools.locks().inspect(order.text("lock")));
            if (holder.isPresent()) {
                return Message.report().with("token", holder.get().token());
            }
            if (late(start)) {
                throw new IllegalStateException("nobody holds " + order.text("lock"));
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private Lease held() {
        if (lease == null) {
            throw new IllegalStateException("no lease was acquired");
        }
        return lease;
    }

    private FencedRegister register(Message order) {
        return switch (Resource.valueOf(order.text("on"))) {
            case STORE -> tools.register();
            case DATABASE -> tools.desk().register();
        };
    }

    private Message write(Message order) throws InterruptedException {
        String resource = order.text("resource");
        String value = order.text("value");
        return accepted(() -> {
            if (order.is("fenced")) {
                register(order).write(resource, held().mark(), value);
            } else {
                register(order).writeUnfenced(resource, value);
            }
        });
    }

    private Message accepted(Runnable write) throws InterruptedException {
        return patiently(() -> {
            try {
                write.run();
                return Message.report().with("accepted", true);
            } catch (StaleTokenException e) {
                return Message.report()
                        .with("accepted", false)
                        .with("staleToken", e.staleToken())
                        .with("acceptedToken", e.acceptedToken());
            }
        });
    }

    private Message read(Message order) throws InterruptedException {
        Optional<String> value = patiently(() -> register(order).read(order.text("resource")));
        return value.map(it -> Message.report().with("value", it)).orElse(Message.report());
    }

    private Message remove(Message order) throws InterruptedException {
        return patiently(() -> {
            register(order).remove(order.text("resource"));
            return Message.report();
        });
    }

    /** Tries to take the lock of the article, for some time. */
    private Message take(Message order) throws InterruptedException {
        Duration wait = Duration.ofMillis(order.number("waitMs"));
        Duration time = Duration.ofMillis(order.number("leaseMs"));
        long start = System.nanoTime();
        while (!tools.article().take(order.text("lock"), order.text("owner"), time)) {
            if (System.nanoTime() - start >= wait.toNanos()) {
                return Message.report().with("granted", false);
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return Message.report().with("granted", true);
    }

    private Message delete(Message order) {
        return tools.article()
                .delete(order.text("lock"))
                .map(owner -> Message.report().with("owner", owner))
                .orElse(Message.report());
    }

    /** A worker that was paused or cut off finds its connections broken: they come back by themselves. */
    private static <T> T patiently(Action<T> action) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                return action.run();
            } catch (BackendUnavailableException | OutcomeUnknownException e) {
                if (late(start)) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }

    private static boolean late(long start) {
        return System.nanoTime() - start > PATIENCE.toNanos();
    }

    @Override
    public void close() {
        tools.close();
    }
}
