package io.fencedlock.cli.replay;

import io.fencedlock.servers.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker in its own JVM, really paused by SIGSTOP. */
final class JvmWorker implements Worker {

    private final String name;
    private final WorkerProcess process;

    JvmWorker(String name, Message place) {
        this.name = name;
        process = WorkerProcess.of(WorkerMain.class).flags(flags()).start();
        process.send(place.line());
    }

    static String[] flags() {
        List<String> flags =
                new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m"));
        if (Runtime.version().feature() >= 24) {
            flags.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        return flags.toArray(String[]::new);
    }

    @Override
    public String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void begin(Message order) {
        process.send(order.line());
    }

    @Override
    public Message end(Duration limit) {
        try {
            String line = process.receive(limit)
                    .orElseThrow(() -> new IllegalStateException(name + " has ended: " + process.lastWords()));
            return Worker.checked(name, Message.parse(line));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    @Override
    public void pause() {
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    @Override
    public void close() {
        process.close();
    }
}
