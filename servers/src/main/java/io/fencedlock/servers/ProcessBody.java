package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server as a process of this machine, with a folder of its own. */
final class ProcessBody implements Body {
    private static final int LAST_WORDS = 2000;

    private final Program program;
    private final Path folder;
    private final Path data;
    private final Path files;
    private final Path log;
    private final Optional<WallClock> clock;
    private final boolean ofCluster;
    private Optional<Group> group = Optional.empty();
    private @Nullable Process process;

    /** @param ofCluster whether it is to be told from the other servers of its cluster */
    ProcessBody(Program program, String name, boolean steppableClock, boolean ofCluster) {
        this.program = program;
        this.ofCluster = ofCluster;
        folder = Watchdog.get().newFolder(name);
        data = folder.resolve("data");
        files = folder.resolve("files");
        log = folder.resolve("log");
        clock = steppableClock ? Optional.of(WallClock.in(folder)) : Optional.empty();
    }

    @Override
    public Node node(int port, int tlsPort) {
        group = ofCluster ? Group.ofPort(port) : Optional.empty();
        return new Node(host(), host(), port, tlsPort, data.toString(), files.toString());
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public void prepare(Kind.Plan plan) {
        try {
            Cache.deleteTree(data);
            Files.createDirectories(data);
            Files.createDirectories(files);
            write(plan.files(), files);
            write(plan.dataFiles(), data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Map<String, byte[]> contents, Path into) throws IOException {
        for (Map.Entry<String, byte[]> file : contents.entrySet()) {
            Files.write(into.resolve(file.getKey()), file.getValue());
        }
    }

    @Override
    public void launch(Kind.Plan plan) {
        List<String> command = new ArrayList<>(group.map(Group::prefix).orElse(List.of()));
        command.addAll(program.command());
        command.addAll(plan.arguments());
        Process started = Child.start(command, builder -> {
            builder.environment().putAll(program.environment());
            clock.ifPresent(own -> builder.environment().putAll(own.environment()));
            builder.directory(data.toFile());
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        });
        process = started;
    }

    @Override
    public boolean running() {
        return process != null && process.isAlive();
    }

    @Override
    public boolean owns(int port) {
        return process != null && Processes.listensOn(process.pid(), port);
    }

    @Override
    public void pause() {
        Processes.pauseTree(running0().pid());
    }

    @Override
    public void resume() {
        Processes.resumeTree(running0().pid());
    }

    @Override
    public void stepClock(Duration by) {
        clock.orElseThrow(() -> new UnsupportedOperationException("the server was started without a steppable clock"))
                .step(by);
    }

    @Override
    public Optional<Group> group() {
        return group;
    }

    @Override
    public Disturbance slowDisk(int writesPerSecond) {
        return Disturbance.begin(
                "slow-disk.sh",
                List.of(Long.toString(running0().pid()), data.toString(), Integer.toString(writesPerSecond)));
    }

    private Process running0() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException("the server has ended");
        }
        return process;
    }

    @Override
    public void end(Duration grace) {
        Process ending = process;
        if (ending == null) {
            return;
        }
        if (!grace.isZero()) {
            ending.destroy();
            awaitEnd(ending, grace);
        }
        Processes.killTree(ending.pid());
        ending.destroyForcibly();
        if (!awaitEnd(ending, Duration.ofSeconds(20))) {
            throw new IllegalStateException("process " + ending.pid() + " does not end after SIGKILL");
        }
        process = null;
    }

    private static boolean awaitEnd(Process ending, Duration limit) {
        boolean interrupted = false;
        try {
            return ending.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            return !ending.isAlive();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Optional<Long> pid() {
        return running() ? Optional.ofNullable(process).map(Process::pid) : Optional.empty();
    }

    @Override
    public String lastWords() {
        try {
            String text = Files.readString(log, StandardCharsets.ISO_8859_1).strip();
            return text.substring(Math.max(0, text.length() - LAST_WORDS));
        } catch (IOException e) {
            return "it wrote no log";
        }
    }

    @Override
    public String version(Kind kind, java.net.InetSocketAddress address) {
        return program.version();
    }

    @Override
    public String origin() {
        return program.origin();
    }

    @Override
    public void remove() {
        try {
            Cache.deleteTree(folder);
        } catch (IOException e) {
            // the watchdog removes it with the rest when this JVM ends
        }
    }
}
