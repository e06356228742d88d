package io.fencedlock.compliance;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** {@link HolderMain} in a JVM of its own with this JVM's class path, stopped and killed by signals. */
final class WorkerHolder implements HolderProcess {

    /** Far above what a command may take. */
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Writer to;
    /** What it said, line by line; empty: it says nothing any more. */
    private final BlockingQueue<Optional<String>> said = new LinkedBlockingQueue<>();

    WorkerHolder(String url, String registerUrl) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HolderMain.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(HolderMain.URL, url); // not an argument: it may hold a password
        builder.environment().put(HolderMain.REGISTER, registerUrl);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("a worker process could not be started: " + e.getMessage(), e);
        }
        to = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        Thread listener = new Thread(this::listen, "compliance-holder");
        listener.setDaemon(true);
        listener.start();
    }

    private void listen() {
        try (BufferedReader from = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                said.add(Optional.of(line));
            }
        } catch (IOException e) {
            // it was killed
        } finally {
            said.add(Optional.empty());
        }
    }

    private synchronized String ask(String... words) {
        try {
            to.write(String.join("\t", words) + "\n");
            to.flush();
            Optional<String> next = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new RuleBroken("the holder's process did not answer within " + PATIENCE_SECONDS
                        + " s when it was asked to " + words[0]);
            }
            String answer = next.orElseThrow(
                    () -> new RuleBroken("the holder's process ended when it was asked to " + words[0]));
            if (answer.startsWith("error ")) {
                throw new RuleBroken("the holder's process failed to " + words[0] + ": " + answer.substring(6));
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException("the holder's process does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public FenceMark acquire(String lock) {
        String[] parts = ask("acquire", lock).split(" ", -1);
        return new FenceMark(Long.parseLong(parts[0]), new HolderId(parts[1]));
    }

    @Override
    public void startWaiting(String lock) {
        ask("wait", lock);
    }

    @Override
    public boolean write(String resource, String value) {
        return Boolean.parseBoolean(ask("write", resource, value));
    }

    @Override
    public boolean isValid() {
        return Boolean.parseBoolean(ask("valid"));
    }

    @Override
    public int lossesTold() {
        return Integer.parseInt(ask("told"));
    }

    @Override
    public void pause() {
        signal("STOP");
    }

    @Override
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new ControlMissing("send SIG" + name + " to a process of its own");
            }
        } catch (IOException e) {
            throw new ControlMissing("run kill -" + name + " (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
