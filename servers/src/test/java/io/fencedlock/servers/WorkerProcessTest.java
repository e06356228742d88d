package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkerProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Answers each line with its arguments, a variable and the line; ends with code 7 at "end". */
    static final class Echo {
        public static void main(String[] arguments) throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("end")) {
                    System.err.println("ending");
                    System.exit(7);
                }
                System.out.println(String.join(",", arguments) + " " + System.getenv("GREETING") + " " + line);
            }
        }
    }

    @Test
    void lines_goThereAndBack() throws InterruptedException {
        try (WorkerProcess worker = WorkerProcess.of(Echo.class)
                .flags("-Xmx32m")
                .arguments("a", "b")
                .environment("GREETING", "hi")
                .start()) {
            worker.send("one");
            assertThat(worker.receive(LIMIT)).contains("a,b hi one");

            worker.send("end");
            assertThat(worker.receive(LIMIT)).isEmpty();
            assertThat(worker.receive(LIMIT)).isEmpty();
            assertThat(worker.awaitExit(LIMIT)).isEqualTo(7);
            assertThat(worker.lastWords()).contains("ending");
        }
    }

    @Test
    void pause_saysNothingUntilResume() throws InterruptedException {
        try (WorkerProcess worker = WorkerProcess.of(Echo.class).start()) {
            worker.send("one");
            assertThat(worker.receive(LIMIT)).isPresent();

            worker.pause();
            worker.send("two");
            assertThatThrownBy(() -> worker.receive(Duration.ofSeconds(1))).isInstanceOf(IllegalStateException.class);
            assertThat(worker.isAlive()).isTrue();

            worker.resume();
            assertThat(worker.receive(LIMIT).orElseThrow()).endsWith("two");
        }
    }

    @Test
    void kill_endsAPausedWorker() throws InterruptedException {
        try (WorkerProcess worker = WorkerProcess.of(Echo.class).start()) {
            worker.pause();
            worker.kill();
            assertThat(worker.isAlive()).isFalse();
            assertThat(worker.awaitExit(LIMIT)).isEqualTo(128 + 9);
        }
    }

    @Test
    void signalToNobody_namesTheProcess() {
        assertThatThrownBy(() -> Processes.resume(999_999_999))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("999999999");
    }
}
