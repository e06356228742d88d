package io.fencedlock.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A main class in a JVM of its own, with the class path of this one, that can be paused and killed. It talks in lines: its standard input
 * and output are ours; what it writes to standard error is kept for messages. It does not outlive this JVM, however that ends.
 *
 * <p>Thread-safe, but let one thread receive. {@link #close()} kills it with all it has started and leaves nothing behind.
 */
public final class WorkerProcess implements AutoCloseable {
    private static final int LAST_WORDS = 2000;
    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);

    /**
     * What to start. Immutable: each method answers a changed copy.
     *
     * @param main the name of the main class
     * @param flags flags of the JVM
     * @param arguments arguments of the main method
     * @param environment variables added to this JVM's own
     * @param ownClock whether its wall clock can be stepped
     */
    public record Launch(
            String main,
            List<String> flags,
            List<String> arguments,
            Map<String, String> environment,
            boolean ownClock) {
        /** Copies the collections. */
        public Launch {
            flags = List.copyOf(flags);
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }

        /**
         * Adds flags of the JVM.
         *
         * @param more for example {@code -Xmx64m}
         * @return the changed copy
         */
        public Launch flags(String... more) {
            return new Launch(main, joined(flags, more), arguments, environment, ownClock);
        }

        /**
         * Adds arguments of the main method.
         *
         * @param more the arguments
         * @return the changed copy
         */
        public Launch arguments(String... more) {
            return new Launch(main, flags, joined(arguments, more), environment, ownClock);
        }

        /**
         * Sets a variable of the environment.
         *
         * @param name the name
         * @param value the value
         * @return the changed copy
         */
        public Launch environment(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(environment);
            more.put(name, value);
            return new Launch(main, flags, arguments, more, ownClock);
        }

        /**
         * Asks for a worker whose wall clock can be stepped, on Linux with a C compiler.
         *
         * @return the changed copy
         * @throws ServerUnavailableException if there can be none here; the message says why
         */
        public Launch steppableClock() {
            WallClock.require();
            return new Launch(main, flags, arguments, environment, true);
        }

        private static List<String> joined(List<String> first, String... second) {
            List<String> all = new ArrayList<>(first);
            all.addAll(List.of(second));
            return all;
        }

        /**
         * Starts the JVM; does not wait for anything it does.
         *
         * @return the running worker
         */
        public WorkerProcess start() {
            return new WorkerProcess(this);
        }
    }

    private final String main;
    private final Path folder;
    private final Path errors;
    private final Optional<WallClock> clock;
    private final Process process;
    private final Writer input;
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

    private WorkerProcess(Launch launch) {
        main = launch.main();
        folder = Watchdog.get().newFolder("worker");
        errors = folder.resolve("stderr");
        clock = launch.ownClock() ? Optional.of(WallClock.in(folder)) : Optional.empty();
        List<String> command = new ArrayList<>(Jvm.command(launch.flags()));
        command.add(launch.main());
        command.addAll(launch.arguments());
        process = Child.start(command, builder -> {
            builder.environment().putAll(launch.environment());
            clock.ifPresent(own -> builder.environment().putAll(own.environment()));
            builder.redirectError(errors.toFile());
        });
        input = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "worker-" + process.pid() + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Describes a worker.
     *
     * @param main its main class
     * @return a description to be completed and started
     */
    public static Launch of(Class<?> main) {
        return new Launch(main.getName(), List.of(), List.of(), Map.of(), false);
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(Optional.of(line));
            }
        } catch (IOException e) {
            // the end, as well
        } finally {
            lines.add(Optional.empty());
        }
    }

    /**
     * The id of the worker's process.
     *
     * @return the process id
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Whether the worker has not ended; a paused one is alive.
     *
     * @return true until it ends
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Writes a line to the worker's standard input.
     *
     * @param line without its end
     * @throws UncheckedIOException if the worker has ended
     */
    public void send(String line) {
        try {
            synchronized (input) {
                input.write(line + "\n");
                input.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(this + " cannot be told \"" + line + "\": " + lastWords(), e);
        }
    }

    /**
     * The next line of the worker's standard output.
     *
     * @param limit how long to wait for it
     * @return the line; empty when the worker has ended or closed its output
     * @throws IllegalStateException if no line comes in time
     * @throws InterruptedException if interrupted while waiting
     */
    public Optional<String> receive(Duration limit) throws InterruptedException {
        Optional<String> line = lines.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null) {
            throw new IllegalStateException(this + " says nothing within " + limit.toMillis() + " ms: " + lastWords());
        }
        if (line.isEmpty()) {
            lines.add(line); // whoever asks again hears the same
        }
        return line;
    }

    /** Stops the worker from doing anything (SIGSTOP); returns when all of its threads stand still. */
    public void pause() {
        Processes.pause(pid());
    }

    /** Lets a paused worker go on. */
    public void resume() {
        Processes.resume(pid());
    }

    /**
     * Steps the worker's wall clock at once; its monotonic clock goes on as before.
     *
     * @param by how far, negative for back
     * @throws UnsupportedOperationException if it was started without {@link Launch#steppableClock()}
     */
    public void stepClock(Duration by) {
        clock.orElseThrow(() -> new UnsupportedOperationException(this + " was started without a steppable clock"))
                .step(by);
    }

    /** Kills the worker (SIGKILL) with all processes it has started; returns when it has ended. */
    public void kill() {
        Processes.killTree(pid());
        process.destroyForcibly();
        if (!ended(KILL_LIMIT)) {
            throw new IllegalStateException(this + " does not end after SIGKILL");
        }
    }

    private boolean ended(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /**
     * Waits for the worker's own end.
     *
     * @param limit how long to wait
     * @return its exit code; 128 and the number of the signal, if one ended it
     * @throws IllegalStateException if it does not end in time
     * @throws InterruptedException if interrupted while waiting
     */
    public int awaitExit(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(this + " does not end within " + limit.toMillis() + " ms: " + lastWords());
        }
        return process.exitValue();
    }

    /**
     * The end of what the worker wrote to standard error.
     *
     * @return at most 2000 characters
     */
    public String lastWords() {
        try {
            String text = Files.readString(errors, StandardCharsets.ISO_8859_1).strip();
            return text.substring(Math.max(0, text.length() - LAST_WORDS));
        } catch (IOException e) {
            return "";
        }
    }

    /** Kills the worker if it runs. Never throws; does nothing the second time. */
    @Override
    public void close() {
        try {
            kill();
            Cache.deleteTree(folder);
        } catch (IOException | IllegalStateException e) {
            Servers.say(this + " could not be cleaned up: " + e.getMessage());
        }
    }

    @Override
    public String toString() {
        return "worker " + main.substring(main.lastIndexOf('.') + 1) + " (process " + process.pid() + ")";
    }
}
