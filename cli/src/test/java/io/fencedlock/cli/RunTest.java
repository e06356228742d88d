package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run}, {@code inspect}, {@code release} and {@code tokens} on a real Redis, with real processes. */
class RunTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static Server redis;
    private static FencedLocks locks;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        redis = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
        locks = FencedLocks.connect(redis.url());
    }

    @AfterAll
    static void stop() {
        locks.close();
        redis.close();
    }

    private static Cli.Ended run(String name, String... more) throws IOException, InterruptedException {
        String[] arguments = new String[5 + more.length];
        System.arraycopy(new String[] {"run", "--url", redis.url(), "--name", name}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return Cli.run(arguments);
    }

    private Process begin(String name, String... more) throws IOException {
        String[] arguments = new String[5 + more.length];
        System.arraycopy(new String[] {"run", "--url", redis.url(), "--name", name}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return Cli.start(folder.resolve("out"), folder.resolve("err"), arguments);
    }

    private static boolean free(String name) throws InterruptedException {
        return locks.inspect(name).isEmpty();
    }

    private static long pidIn(Path file) {
        await().atMost(LIMIT).until(() -> Files.exists(file) && Cli.text(file).endsWith("\n"));
        try {
            return Long.parseLong(Cli.text(file).strip());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean alive(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void theCommandHasTheTokenAndItsExitCodeIsPassedOn() throws Exception {
        Cli.Ended ended = run("job", "--", "sh", "-c", "echo $FENCEDLOCK_NAME $FENCING_TOKEN; exit 7");

        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(7);
        assertThat(ended.out()).matches("job \\d+\\n");
        assertThat(free("job")).isTrue();
        assertThat(run("job", "--", "sh", "-c", "kill -KILL $$").exitCode()).isEqualTo(128 + 9);
        assertThat(run("job", "--", "/nonexistent/command").exitCode()).isEqualTo(127);
        assertThat(free("job")).isTrue();
    }

    @Test
    void aHeldLockIsExitCode75() throws Exception {
        try (Lease lease = locks.get("taken").acquire()) {
            assertThat(run("taken", "--", "true").exitCode()).isEqualTo(75);
            assertThat(run("taken", "--wait", "300ms", "--", "true").exitCode()).isEqualTo(75);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(run("taken", "--wait", "10s", "--", "true").exitCode()).isZero();
    }

    @Test
    void aTakenAwayLeaseEndsTheWholeTreeAndIsExitCode76() throws Exception {
        Path pid = folder.resolve("pid");
        // The grandchild leaves the process tree, its parent's group and its session.
        Process process = begin(
                "stolen",
                "--lease",
                "3s",
                "--",
                "sh",
                "-c",
                "(setsid sh -c 'trap \"\" TERM; echo $$ > " + pid + "; while :; do sleep 1; done' &) ; sleep 300");
        long grandchild = pidIn(pid);
        assertThat(alive(grandchild)).isTrue();
        long token = locks.inspect("stolen").orElseThrow().token();

        assertThat(locks.forceRelease("stolen", token)).isEqualTo(Release.RELEASED);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(76);
        await().atMost(LIMIT).until(() -> !alive(grandchild));
    }

    @Test
    void whenTheStoreIsAwayTermComesBeforeTheLeaseEnds() throws Exception {
        try (Server own = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway())) {
            Path pid = folder.resolve("pid");
            Path term = folder.resolve("term");
            Process process = Cli.start(
                    folder.resolve("out"),
                    folder.resolve("err"),
                    "run",
                    "--url",
                    own.url(),
                    "--name",
                    "cut",
                    "--lease",
                    "3s",
                    "--kill-after",
                    "1s",
                    "--",
                    "sh",
                    "-c",
                    "trap 'echo term > " + term + "; exit 0' TERM; echo $$ > " + pid + "; while :; do sleep 0.1; done");
            pidIn(pid);

            own.pause();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(76);
            assertThat(term).exists();
        }
    }

    @Test
    void aSignalIsPassedOnAndTheLockReleased() throws Exception {
        Path pid = folder.resolve("pid");
        Process process = begin(
                "signalled",
                "--",
                "sh",
                "-c",
                "trap 'exit 5' TERM; echo $$ > " + pid + "; while :; do sleep 0.1; done");
        pidIn(pid);
        assertThat(free("signalled")).isFalse();

        process.destroy();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(5);
        assertThat(free("signalled")).isTrue();
    }

    @Test
    void inspectReleaseAndRaise() throws Exception {
        String url = redis.url();
        assertThat(Cli.run("inspect", "--url", url, "--name", "seen", "--json").lines())
                .containsExactly("{\"held\":false}");
        try (Lease lease = locks.get("seen").acquire()) {
            Cli.Ended held = Cli.run("inspect", "--url", url, "--name", "seen", "--json");
            assertThat(held.exitCode()).isZero();
            assertThat(Json.parse(held.lines().get(0)))
                    .containsEntry("held", true)
                    .containsEntry("token", lease.token());
            String wrong = Long.toString(lease.token() + 1);
            assertThat(Cli.run("release", "--url", url, "--name", "seen", "--token", wrong)
                            .exitCode())
                    .isEqualTo(1);
            assertThat(free("seen")).isFalse();
            String right = Long.toString(lease.token());
            assertThat(Cli.run("release", "--url", url, "--name", "seen", "--token", right)
                            .exitCode())
                    .isZero();
            assertThat(free("seen")).isTrue();
            long floor = lease.token() + 1_000_000_000_000L;
            assertThat(Cli.run("tokens", "raise", "--url", url, "--to", Long.toString(floor))
                            .exitCode())
                    .isZero();
            try (Lease later = locks.get("seen").acquire()) {
                assertThat(later.token()).isGreaterThan(floor);
            }
        }
    }
}
