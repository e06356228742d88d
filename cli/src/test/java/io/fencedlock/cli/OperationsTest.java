package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LossReason;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/operations.md: a server starts with the settings that the page gives, and each of its commands does what the page says. */
class OperationsTest {

    private static final String REDIS = "redis://10.0.0.1:6379";
    private static final String ETCD = "etcd://10.0.0.2:2379";
    private static final String TOKEN = "1795982189719527";
    private static final String LOCK = "invoice-1041";
    private static final long FAR_AHEAD = TimeUnit.DAYS.toMicros(30);

    private final String page;

    OperationsTest() throws IOException {
        page = Files.readString(Path.of("../docs/operations.md"));
    }

    @Test
    void settings_startAServer_andTheCommandsDoWhatThePageSays() throws Exception {
        try (Server redis = Servers.start(Store.REDIS, with(Store.REDIS, " "));
                Server etcd = Servers.start(Store.ETCD, with(Store.ETCD, "="));
                Server zookeeper = Servers.start(Store.ZOOKEEPER, with(Store.ZOOKEEPER, "="))) {
            assertThat(zookeeper.answers()).isTrue();
            try (FencedLocks locks = FencedLocks.connect(redis.url());
                    FencedLocks others = FencedLocks.connect(etcd.url())) {
                Lease held = acquired(locks);
                List<String> commands = new ArrayList<>(found("sh"));
                assertThat(commands).hasSize(5);

                assertThat(run(commands.remove(0), redis, etcd, held.token()))
                        .contains("held", Long.toString(held.token()));

                run(commands.remove(0), redis, etcd, held.token());
                assertThat(held.lost().toCompletableFuture().get(20, TimeUnit.SECONDS))
                        .isEqualTo(LossReason.NOT_HELD);

                long floor = held.token() + FAR_AHEAD;
                run(commands.remove(0), redis, etcd, floor);
                Lease next = acquired(locks);
                assertThat(next.token()).isGreaterThan(floor);
                next.close();

                long last = Long.parseLong(
                        run(commands.remove(0), redis, etcd, floor).strip());
                assertThat(last).isGreaterThan(next.token());

                run(commands.remove(0), redis, etcd, last);
                Lease elsewhere = acquired(others);
                assertThat(elsewhere.token()).isGreaterThan(last);
                elsewhere.close();
            }
        }
    }

    private static Lease acquired(FencedLocks locks) throws InterruptedException {
        return Target.patiently(
                () -> locks.get(LOCK).tryAcquire(Duration.ofSeconds(10)).orElseThrow());
    }

    private static String run(String command, Server redis, Server etcd, long token)
            throws IOException, InterruptedException {
        String line = command.replace(REDIS, redis.url())
                .replace(ETCD, etcd.url())
                .replace(TOKEN, Long.toString(token))
                .replace("./fencedlock ", "");
        Matcher quoted = Pattern.compile("'([^']*)'|(\\S+)").matcher(line);
        List<String> words = new ArrayList<>();
        while (quoted.find()) {
            words.add(quoted.group(1) == null ? quoted.group(2) : quoted.group(1));
        }
        Cli.Ended ended = Cli.run(words.toArray(String[]::new));
        assertThat(ended.exitCode()).as(line + ended.err()).isZero();
        return ended.out();
    }

    private ServerOptions with(Store store, String separator) {
        ServerOptions options = ServerOptions.defaults().throwAway();
        List<String> lines =
                found(store.scheme()).stream().flatMap(String::lines).toList();
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            String[] setting = line.replaceFirst("^--", "").split(separator, 2);
            options = options.setting(setting[0], setting[1]);
        }
        return options;
    }

    private List<String> found(String kind) {
        List<String> all = new ArrayList<>();
        Matcher matcher = Pattern.compile("(?s)```" + kind + "\n(.*?)\n```").matcher(page);
        while (matcher.find()) {
            all.add(matcher.group(1));
        }
        return all;
    }
}
