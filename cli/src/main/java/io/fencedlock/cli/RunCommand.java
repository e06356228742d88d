package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while holding a lock. */
@Command(
        name = "run",
        description = "Runs a command while holding a lock, with FENCING_TOKEN and FENCEDLOCK_NAME in its environment.",
        footer = {
            "",
            "The lease is renewed until the command ends, then the lock is released. If the lease cannot be renewed, all processes of the"
                    + " command get TERM shortly before its end, and KILL at its end. SIGINT, SIGTERM and SIGHUP are passed on. What the"
                    + " command leaves running in the background when it ends is no longer guarded.",
            "If this program itself is killed with SIGKILL or paused, it cannot end the command: let what the command writes to check the"
                    + " token.",
            "",
            "Exit code: the command's; 128+n when signal n ended it; 75 the lock is held by another; 69 the backend is not reached; 76 the"
                    + " lease was lost; 2 wrong input; 126 or 127 the command cannot be started."
        })
final class RunCommand implements Callable<Integer> {
    private static final Duration KILL_AFTER = Duration.ofSeconds(1);

    @Mixin
    private Target target = new Target();

    @Option(names = "--name", required = true, paramLabel = "LOCK", description = "The lock's name.")
    private String name = "";

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to wait while others hold the lock, for example 10s; without it, one try.")
    private @Nullable Duration wait;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "The lease time: how long the lock stays held when this machine dies. Default: the URL's, or 15s.")
    private @Nullable Duration leaseTime;

    @Option(
            names = "--kill-after",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How long before the end of a lease that cannot be renewed TERM is sent; at most a third of the lease."
                            + " Default: 1s, or a third of the lease if that is less.")
    private @Nullable Duration killAfter;

    @Parameters(arity = "1..*", paramLabel = "command", description = "The command and its arguments, after --.")
    private List<String> command = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli
    private CommandSpec spec;

    private volatile Consumer<String> receiver = signal -> {};

    @Override
    public Integer call() throws InterruptedException {
        Thread caller = Thread.currentThread();
        AtomicReference<@Nullable String> before = new AtomicReference<>();
        receiver = signal -> {
            before.compareAndSet(null, signal);
            caller.interrupt();
        };
        Signals.receive(signal -> receiver.accept(signal));
        try (FencedLocks locks = target.open(leaseTime)) {
            Duration grace = grace(locks.options().lease());
            Lease lease = acquire(locks);
            GuardedCommand guarded = new GuardedCommand(command, lease, grace, this::say);
            receiver = guarded::signal;
            if (before.get() != null) {
                throw new InterruptedException();
            }
            return guarded.run();
        } catch (InterruptedException e) {
            String signal = before.get();
            if (signal == null) {
                throw e;
            }
            return Exit.SIGNAL + Signals.number(signal);
        }
    }

    private Duration grace(Duration lease) {
        Duration most = lease.dividedBy(3);
        if (killAfter != null && killAfter.compareTo(most) > 0) {
            throw CommandFailure.wrongInput("--kill-after takes at most a third of the lease time of "
                    + DurationConverter.shown(lease) + ", found " + DurationConverter.shown(killAfter));
        }
        Duration wanted = killAfter == null ? KILL_AFTER : killAfter;
        return wanted.compareTo(most) < 0 ? wanted : most;
    }

    private Lease acquire(FencedLocks locks) throws InterruptedException {
        Optional<Lease> lease = wait == null
                ? Target.patiently(() -> locks.get(name).tryAcquire())
                : locks.get(name).tryAcquire(wait);
        return lease.orElseThrow(() -> new CommandFailure(
                Exit.HELD,
                "lock " + name + " is held by another"
                        + (wait == null ? "" : ", also after " + DurationConverter.shown(wait))));
    }

    private void say(String sentence) {
        spec.commandLine().getErr().println("fencedlock: " + sentence);
    }
}
