package io.fencedlock.cli;

import io.fencedlock.Lease;
import io.fencedlock.Release;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A command that may run only while a lease is valid. */
final class GuardedCommand {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Lease lease;
    private final Duration killAfter;
    private final Consumer<String> say;
    private final List<String> command;
    private volatile @Nullable ProcessTree tree;
    private volatile boolean asked;

    GuardedCommand(List<String> command, Lease lease, Duration killAfter, Consumer<String> say) {
        this.command = command;
        this.lease = lease;
        this.killAfter = killAfter;
        this.say = say;
    }

    /** Passes on a signal that we received. The terminal sends SIGINT to the command itself. */
    void signal(String name) {
        ProcessTree started = tree;
        asked = true;
        if (started != null && !(name.equals("INT") && atTerminal())) {
            started.signal(name);
        }
    }

    private static boolean atTerminal() {
        try {
            return new ProcessBuilder("sh", "-c", "test -t 0")
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs the command to its end; the exit code to end with. */
    int run() {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("FENCING_TOKEN", Long.toString(lease.token()));
        builder.environment().put("FENCEDLOCK_NAME", lease.grant().name().value());
        ProcessTree started;
        try {
            started = ProcessTree.start(builder);
        } catch (IOException e) {
            return notStarted();
        }
        tree = started;
        boolean inTime = guard(started);
        if (inTime && asked && !started.awaitEnd(killAfter)) {
            started.kill(); // asked to end, but left something at work: that would go on without the lock
        }
        return inTime ? released(started.root().exitValue()) : lost();
    }

    private int notStarted() {
        var unused = lease.release();
        boolean there = Files.exists(Path.of(command.get(0)));
        say.accept(command.get(0) + (there ? " cannot be executed" : ": command not found"));
        return there ? Exit.NOT_EXECUTABLE : Exit.NOT_FOUND;
    }

    /** Waits for the command's end; false if the lease came to its end first and the command was ended. */
    private boolean guard(ProcessTree started) {
        while (true) {
            Duration left = lease.remaining();
            Duration calm = left.minus(killAfter);
            boolean over = !started.root().isAlive();
            if (over && lease.isValid()) {
                return true;
            }
            if (over || calm.isNegative() || calm.isZero()) {
                end(started, left);
                return false;
            }
            sleep(started, calm.compareTo(LOOK_AGAIN) < 0 ? calm : LOOK_AGAIN);
        }
    }

    private void sleep(ProcessTree started, Duration time) {
        try {
            CompletableFuture.anyOf(started.root().onExit(), lease.lost().toCompletableFuture())
                    .get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // look again
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            asked = true; // by a signal that came before the command was started
            started.signal("TERM");
        }
    }

    private void end(ProcessTree started, Duration left) {
        if (!left.isZero()) {
            say.accept("the lease on " + lease.grant().name() + " ends in " + DurationConverter.shown(left)
                    + " and could not be renewed: ending the command");
            started.signal("TERM");
        }
        if (!started.awaitEnd(left) && !started.kill()) {
            say.accept("the command would not end after SIGKILL");
        }
    }

    private int lost() {
        var unused = lease.release();
        say.accept("the lease on " + lease.grant().name() + " was lost while the command ran (token " + lease.token()
                + ")");
        return Exit.LOST;
    }

    private int released(int exitCode) {
        Release found = lease.release();
        if (found == Release.NOT_HELD) {
            return lost();
        }
        if (found == Release.UNKNOWN) {
            say.accept("the release of " + lease.grant().name()
                    + " was not confirmed; the lock is free after its lease time");
        }
        return exitCode;
    }
}
