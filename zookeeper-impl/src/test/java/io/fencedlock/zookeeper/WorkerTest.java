package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.servers.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks between processes, which can be paused and killed. */
class WorkerTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final Rig rig = new Rig();

    private static WorkerProcess start(String url) {
        return WorkerProcess.of(Worker.class)
                .flags(
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error")
                .arguments(url)
                .start();
    }

    private static String say(WorkerProcess worker, String line) throws InterruptedException {
        worker.send(line);
        return worker.receive(LIMIT).orElseThrow(() -> new IllegalStateException(worker.lastWords()));
    }

    /** FLT, Z20, Z22: the next one gets in within the session's time and the declared slack, and the stale write is refused. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void holderPausedOrKilled_nextGetsIn(boolean paused) throws Exception {
        FencedLocks locks = rig.connect();
        try (WorkerProcess holder = start(rig.url());
                FencedRegister register = FencedRegister.connect(rig.url())) {
            assertThat(holder.receive(LIMIT)).contains("ready");
            long token = Long.parseLong(say(holder, "acquire"));
            long stopped = System.nanoTime();
            if (paused) {
                holder.pause();
            } else {
                holder.kill();
            }
            Lease next = locks.get("a").tryAcquire(Duration.ofSeconds(30)).orElseThrow();
            Duration waited = Duration.ofNanos(System.nanoTime() - stopped);
            assertThat(waited)
                    .isLessThan(Duration.ofSeconds(4)
                            .plus(locks.profile().expirySlack())
                            .plusSeconds(1));
            assertThat(next.token()).isGreaterThan(token);
            register.write(Worker.RESOURCE, next.mark(), "fresh");
            if (paused) {
                holder.resume();
                assertThat(say(holder, "valid")).isEqualTo("false");
                assertThat(say(holder, "write")).isEqualTo("refused");
            }
            assertThat(register.read(Worker.RESOURCE)).contains("fresh");
            assertThat(next.isValid()).isTrue();
        }
    }

    /** EXC-1, TOK-2: ten processes of ten threads add twenty times each. */
    @Test
    void increments_noneIsLost() throws Exception {
        String url = rig.server().url() + rig.prefix() + "?lease=30s&command-timeout=20s";
        List<WorkerProcess> workers = new ArrayList<>();
        try (FencedRegister register = FencedRegister.connect(url)) {
            for (int i = 0; i < 10; i++) {
                workers.add(start(url));
            }
            for (WorkerProcess worker : workers) {
                assertThat(worker.receive(LIMIT)).as(worker.lastWords()).contains("ready");
            }
            workers.forEach(worker -> worker.send("20"));
            for (WorkerProcess worker : workers) {
                assertThat(worker.receive(Duration.ofSeconds(100)))
                        .as(worker.lastWords())
                        .contains("counted");
            }
            assertThat(register.read(Worker.RESOURCE).orElseThrow()).startsWith("2000 ");
            await().atMost(Rig.SOON).until(() -> rig.contenders().isEmpty());
        } finally {
            workers.forEach(WorkerProcess::close);
        }
    }
}
