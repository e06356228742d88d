package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a JVM started ends with it, and its data with it, also when it has no chance to clean up. */
@Execution(ExecutionMode.CONCURRENT)
class CleanUpTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    /** Starts all stores and a worker, pauses some, prints the process ids, and waits. */
    static final class Starter {
        public static void main(String[] arguments) throws InterruptedException, IOException {
            List<String> pids = new ArrayList<>();
            for (Store store : Store.values()) {
                Server server = Servers.start(store, ServerOptions.defaults().throwAway());
                pids.add(server.pid().orElseThrow().toString());
                if (store == Store.ETCD) {
                    server.pause();
                }
            }
            WorkerProcess worker = WorkerProcess.of(Sleeper.class).start();
            worker.pause();
            pids.add(Long.toString(worker.pid()));
            System.out.println(String.join(" ", pids));
            int end = System.in.read(); // a line: end by ourselves
            System.exit(end < 0 ? 1 : 0);
        }
    }

    /** Does nothing for long. */
    static final class Sleeper {
        public static void main(String[] arguments) throws InterruptedException {
            Thread.sleep(Duration.ofHours(1).toMillis());
        }
    }

    @Test
    void jvmKilled_takesItsServersAndDataWithIt() throws Exception {
        try (WorkerProcess starter = starter()) {
            List<Long> pids = pids(starter);
            assertThat(pids).hasSize(Store.values().length + 1).allMatch(Processes::alive);
            assertThat(data()).isNotEmpty();

            Processes.signal("KILL", starter.pid());

            await().atMost(LIMIT).untilAsserted(() -> {
                assertThat(pids).noneMatch(Processes::alive);
                assertThat(data()).isEmpty();
            });
        }
    }

    @Test
    void jvmEnds_takesItsServersAndDataWithIt() throws Exception {
        try (WorkerProcess starter = starter()) {
            List<Long> pids = pids(starter);
            starter.send("end");

            await().atMost(LIMIT).untilAsserted(() -> {
                assertThat(pids).noneMatch(Processes::alive);
                assertThat(data()).isEmpty();
            });
            assertThat(starter.awaitExit(LIMIT)).isZero();
        }
    }

    private WorkerProcess starter() {
        return WorkerProcess.of(Starter.class)
                .flags("-Djava.io.tmpdir=" + folder, "-Dfencedlock.servers.ways=path,package,jar")
                .start();
    }

    private static List<Long> pids(WorkerProcess starter) throws InterruptedException {
        String line = starter.receive(Duration.ofMinutes(4)).orElseThrow(() -> new AssertionError(starter.lastWords()));
        return Arrays.stream(line.split(" ", -1)).map(Long::valueOf).toList();
    }

    private List<Path> data() throws IOException {
        try (Stream<Path> left = Files.list(folder)) {
            return left.filter(path -> path.getFileName().toString().startsWith("fencedlock-servers"))
                    .toList();
        }
    }
}
