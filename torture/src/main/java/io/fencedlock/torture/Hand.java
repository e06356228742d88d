package io.fencedlock.torture;

import io.fencedlock.compliance.history.Event;
import io.fencedlock.servers.ServerUnavailableException;
import io.fencedlock.servers.WorkerProcess;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker's process, as the coordinating process sees it: passes its events to the chronicle and its writes to the desk. */
final class Hand implements AutoCloseable {
    private static final Duration FOR_EVER = Duration.ofDays(1000);
    private static final String ENDED = "ended";

    private final String name;
    private final int seat;
    private final WorkerProcess process;
    private final Chronicle chronicle;
    private final Desk desk;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    /**
     * @param name its name in the history
     * @param seat whose connections it uses; a worker that replaces a killed one has the same seat
     */
    Hand(String name, int seat, List<String> orders, Chronicle chronicle, Desk desk) {
        this.name = name;
        this.seat = seat;
        this.chronicle = chronicle;
        this.desk = desk;
        process = launch().start();
        Thread reader = new Thread(this::listen, "torture-" + name);
        reader.setDaemon(true);
        reader.start();
        List<String> first = new ArrayList<>(List.of(name));
        first.addAll(orders);
        tell(first);
    }

    private static WorkerProcess.Launch launch() {
        WorkerProcess.Launch launch = WorkerProcess.of(WorkerMain.class).flags(flags().toArray(String[]::new));
        return clockObstacle().isEmpty() ? launch.steppableClock() : launch;
    }

    /** Why the clocks of workers cannot be stepped here, if so. */
    static Optional<String> clockObstacle() {
        try {
            WorkerProcess.of(WorkerMain.class).steppableClock();
            return Optional.empty();
        } catch (ServerUnavailableException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> flags() {
        List<String> flags = new ArrayList<>(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error")); // leases are lost on purpose
        if (Runtime.version().feature() >= 24) {
            flags.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        return flags;
    }

    String name() {
        return name;
    }

    int seat() {
        return seat;
    }

    private void listen() {
        try {
            for (Optional<String> line = process.receive(FOR_EVER);
                    line.isPresent();
                    line = process.receive(FOR_EVER)) {
                hear(line.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (UncheckedIOException e) {
            // it was killed while it was being answered
        } finally {
            said.add(ENDED);
        }
    }

    private void hear(String line) {
        String[] words = line.split("\t", -1);
        if (words[0].equals("e")) {
            chronicle.add(Event.parse(words[1]));
        } else if (Desk.isQuestion(words)) {
            process.send(desk.answer(words));
        } else if (words[0].equals("x")) {
            chronicle.complain(name + " at " + words[1]);
        } else {
            said.add(line);
        }
    }

    void tell(List<String> words) {
        process.send(String.join("\t", words));
    }

    void tell(String... words) {
        tell(List.of(words));
    }

    /**
     * The next answer.
     *
     * @return empty if it does not come in time
     * @throws IllegalStateException if the worker has ended by itself
     */
    Optional<String> hear(Duration limit) throws InterruptedException {
        String line = said.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (ENDED.equals(line)) {
            throw new IllegalStateException(name + " has ended: " + process.lastWords());
        }
        return Optional.ofNullable(line);
    }

    void pause() {
        process.pause();
    }

    void resume() {
        process.resume();
    }

    void stepClock(Duration by) {
        process.stepClock(by);
    }

    void kill() {
        process.close();
    }

    /** Ends it at once, if it has not ended. */
    @Override
    public void close() {
        process.close();
    }
}
