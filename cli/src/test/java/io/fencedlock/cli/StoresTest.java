package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.MemoryRegister;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is promised of every store alike, on real servers and with real processes. */
class StoresTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration AT_MOST = Duration.ofMillis(1300);
    private static final int PROCESSES = 10;
    private static final int THREADS = 10;
    private static final int ROUNDS = 20;

    private static final Map<Store, Server> SERVERS = new EnumMap<>(Store.class);

    @TempDir
    private Path folder;

    private static synchronized Server server(Store store) {
        return SERVERS.computeIfAbsent(
                store, s -> Servers.start(s, ServerOptions.defaults().throwAway()));
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(Server::close);
    }

    private static FencedLocks connected(String url) throws InterruptedException {
        FencedLocks locks = FencedLocks.connect(url);
        locks.get("warm-up").tryAcquire(Duration.ofSeconds(20)).orElseThrow().close();
        return locks;
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void increments_ofManyProcesses_areNotLost(Store store) throws Exception {
        Path number = Files.writeString(folder.resolve("number"), "0");
        Path log = Files.createFile(folder.resolve("log"));
        List<WorkerProcess> workers = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(WorkerProcess.of(Incrementer.class)
                        .flags("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                        .arguments(
                                server(store).url() + "?lease=30s&command-timeout=5s",
                                "counter",
                                number.toString(),
                                log.toString(),
                                String.valueOf(THREADS),
                                String.valueOf(ROUNDS))
                        .start());
            }
            for (WorkerProcess worker : workers) {
                assertThat(worker.receive(Duration.ofMinutes(4)))
                        .as(worker.lastWords())
                        .contains("done");
            }
        } finally {
            workers.forEach(WorkerProcess::close);
        }
        assertThat(Files.readString(number)).isEqualTo(String.valueOf(PROCESSES * THREADS * ROUNDS));
        assertTokensGrowInTheOrderOfTheGrants(log);
        try (FencedLocks locks = connected(server(store).url())) {
            assertThat(locks.inspect("counter")).isEmpty();
        }
    }

    private static void assertTokensGrowInTheOrderOfTheGrants(Path log) throws IOException {
        long last = 0;
        int expected = 1;
        for (String line : Files.readAllLines(log)) {
            String[] words = line.split(" ");
            assertThat(Long.parseLong(words[0])).as(line).isGreaterThan(last);
            assertThat(Integer.parseInt(words[1])).isEqualTo(expected++);
            last = Long.parseLong(words[0]);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    void killedHolder_delaysTheNextByItsLeaseAndTheSlack(Store store) throws Exception {
        String url = server(store).url() + "?lease=4s";
        try (FencedLocks locks = connected(url);
                WorkerProcess holder =
                        WorkerProcess.of(Holder.class).arguments(url, "killed").start()) {
            long token = Long.parseLong(holder.receive(LONG).orElseThrow());
            holder.kill();
            long killed = System.nanoTime();
            BackendProfile profile = locks.profile();
            Duration bound = Duration.ofSeconds(4).plus(profile.expirySlack()).plus(profile.recheck());
            Lease next = locks.get("killed").tryAcquire(bound).orElseThrow();
            assertThat(next.token()).isGreaterThan(token);
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(bound.plusSeconds(1));
            next.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    void tryAcquire_held_isEmptyInTime(Store store) throws Exception {
        try (FencedLocks locks = connected(server(store).url());
                Lease held = locks.get("held").acquire()) {
            long begun = System.nanoTime();
            assertThat(locks.get("held").tryAcquire(Duration.ofMillis(200))).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
            assertThat(held.isValid()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    void tryAcquire_serverPaused_saysSoInTime(Store store) throws Exception {
        try (FencedLocks locks = connected(server(store).url())) {
            server(store).pause();
            try {
                long begun = System.nanoTime();
                assertThatThrownBy(() -> locks.get("paused").tryAcquire(Duration.ofMillis(200)))
                        .isInstanceOfAny(OutcomeUnknownException.class, BackendUnavailableException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
            } finally {
                server(store).resume();
            }
            assertThat(locks.get("paused").tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    void tryAcquire_serverKilled_saysSoInTimeAndComesBack(Store store) throws Exception {
        try (Server own = Servers.start(store, ServerOptions.defaults().throwAway());
                FencedLocks locks = connected(own.url())) {
            own.kill();
            for (int i = 0; i < 3; i++) {
                long begun = System.nanoTime();
                assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(200)))
                        .isInstanceOfAny(OutcomeUnknownException.class, BackendUnavailableException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
            }
            assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(200)))
                    .isInstanceOf(BackendUnavailableException.class);
            own.restart(Data.KEEP);
            assertThat(locks.get("a").tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    void tryAcquire_nothingListens_isUnavailableInTime(Store store) {
        try (FencedLocks locks = FencedLocks.connect(store.scheme() + "://127.0.0.1:1")) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> locks.get("a").tryAcquire(Duration.ofMillis(200)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:1");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(AT_MOST);
        }
    }

    @Test
    void backendChangedByUrlAlone_noWriteOfACurrentHolderIsRefused() throws Exception {
        ServerOptions fresh = ServerOptions.defaults().throwAway();
        try (Server redis = Servers.start(Store.REDIS, fresh);
                Server etcd = Servers.start(Store.ETCD, fresh);
                Server zookeeper = Servers.start(Store.ZOOKEEPER, fresh);
                FencedRegister inMemory = new MemoryRegister();
                FencedRegister inRedis = FencedRegister.connect(redis.url());
                FencedRegister inEtcd = FencedRegister.connect(etcd.url());
                FencedRegister inZooKeeper = FencedRegister.connect(zookeeper.url())) {
            FenceMark before = null;
            for (Server store : List.of(redis, etcd, zookeeper, etcd, redis, zookeeper)) {
                try (FencedLocks locks = connected(store.url());
                        Lease lease = locks.get("moved").acquire()) {
                    for (FencedRegister resource : List.of(inMemory, inRedis, inEtcd, inZooKeeper)) {
                        writes(resource, lease, before);
                    }
                    before = lease.mark();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    void marksOfFencesAreKeptHouse(Store store) {
        String url = server(store).url() + "?command-timeout=20s";
        HolderId holder = HolderId.random();
        try (Fence fence = Fence.connect(url)) {
            fence.advance("housekept", new FenceMark(Long.MAX_VALUE - 1, holder));
        }
        String at = " --url " + url;
        Cli.Ended listed = say("fence list --json --resource housekept" + at);
        assertThat(listed.out())
                .startsWith("{\"resource\":\"housekept\",\"token\":9223372036854775806,\"holder\":\"" + holder
                        + "\",\"usedAt\":\"20");
        assertThat(say("fence list" + at).out()).contains("housekept  token 9223372036854775806  " + holder);
        assertThat(say("fence raise --resource housekept --to 5" + at).out()).contains("the mark was higher and stays");
        assertThat(say("fence raise --resource housekept --to 9223372036854775807" + at)
                        .out())
                .contains("only tokens above 9223372036854775807 pass");
        assertThat(say("fence list --resource housekept" + at).out()).contains("raised, no holder");
        assertThat(say("fence expire --unused-for P30D" + at).out())
                .isEqualTo("0 marks removed" + System.lineSeparator());
        assertThat(say("fence remove --resource housekept" + at).out()).contains("removed the mark");
        for (String gone : List.of("list", "remove")) {
            Cli.Ended said = Cli.say("fence " + gone + " --resource housekept" + at);
            assertThat(said.exitCode()).isEqualTo(Exit.NO);
            assertThat(said.err()).contains("housekept has no mark");
        }
    }

    private static Cli.Ended say(String line) {
        Cli.Ended said = Cli.say(line);
        assertThat(said.exitCode()).as(said.err()).isZero();
        return said;
    }

    private static void writes(FencedRegister resource, Lease lease, @Nullable FenceMark before) {
        resource.write("moved", lease.mark(), "of " + lease.token());
        assertThat(resource.read("moved")).contains("of " + lease.token());
        assertThat(resource.mark("moved")).contains(lease.mark());
        if (before != null) {
            assertThatThrownBy(() -> resource.write("moved", before, "stale"))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(String.valueOf(before.token()))
                    .hasMessageContaining(String.valueOf(lease.token()));
        }
    }
}
