package io.fencedlock.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.MarkInfo;
import io.fencedlock.StaleTokenException;
import io.fencedlock.compliance.FenceExercise;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EtcdFenceTest {

    private static final HolderId A = HolderId.random();
    private static final HolderId B = HolderId.random();
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final boolean FULL = "full".equals(System.getProperty("fencedlock.profile"));

    private static Server server;
    private static Client client;

    private String prefix;
    private String url;
    private EtcdFence byUrl;
    private EtcdFence onMine;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.ETCD);
        client = Client.builder()
                .endpoints(server.url().replace("etcd://", "http://"))
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void open() {
        prefix = "f" + System.nanoTime();
        url = server.url() + "/" + prefix + "?command-timeout=20s";
        byUrl = EtcdFence.connect(url);
        onMine = EtcdFence.on(client, LIMIT).withPrefix(prefix);
    }

    @AfterEach
    void close() {
        byUrl.close();
        onMine.close();
    }

    private static FenceMark mark(long token, HolderId holder) {
        return new FenceMark(token, holder);
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    private static List<KeyValue> get(String key, GetOption option) {
        try {
            return client.getKVClient()
                    .get(bytes(key), option)
                    .get(20, TimeUnit.SECONDS)
                    .getKvs();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String value(String key) {
        return get(key, GetOption.DEFAULT).stream()
                .map(found -> found.getValue().toString(UTF_8))
                .findFirst()
                .orElse(null);
    }

    @Test
    void writer_changesWhatTheFenceAdmits() {
        for (EtcdFence fence : List.of(byUrl, onMine)) {
            EtcdWriter writer = fence.writer("r", mark(34, B));
            writer.put(prefix + "a", "1");
            writer.put(prefix + "b", "2");
            writer.delete(prefix + "a");
            assertThat(value(prefix + "a")).isNull();
            EtcdWriter late = fence.writer("r", mark(33, A));
            assertThatThrownBy(() -> late.put(prefix + "b", "old"))
                    .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                        assertThat(e.resource()).isEqualTo("r");
                        assertThat(e.staleToken()).isEqualTo(33);
                        assertThat(e.acceptedToken()).isEqualTo(34);
                    });
            assertThatThrownBy(() -> late.delete(prefix + "b")).isInstanceOf(StaleTokenException.class);
            assertThat(value(prefix + "b")).isEqualTo("2");
            assertThat(fence.mark("r")).hasValue(mark(34, B));
        }
    }

    @Test
    void commit_takesOperationsOfJetcd() {
        EtcdWriter writer = onMine.writer("r", mark(5, A));
        Op put = Op.put(bytes(prefix + "a"), bytes("1"), PutOption.DEFAULT);
        Op delete = Op.delete(bytes(prefix + "b"), DeleteOption.DEFAULT);
        client.getKVClient().put(bytes(prefix + "b"), bytes("x")).join();
        writer.commit(put, delete, Op.get(bytes(prefix + "a"), GetOption.DEFAULT));
        assertThat(value(prefix + "a")).isEqualTo("1");
        assertThat(value(prefix + "b")).isNull();

        Op late = Op.put(bytes(prefix + "a"), bytes("late"), PutOption.DEFAULT);
        assertThatThrownBy(() -> onMine.writer("r", mark(4, B)).commit(late)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> writer.commit(put, put)).isInstanceOf(BackendUnavailableException.class);
        assertThatThrownBy(() -> byUrl.writer("r", mark(6, B)).commit(late))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("on(client, timeout)");
        assertThat(value(prefix + "a")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({"9007199254740992, 9007199254740993", "9223372036854775806, 9223372036854775807", "9, 10", "99, 100"})
    void tok7_marksAreExact(long lower, long higher) {
        for (EtcdFence fence : List.of(byUrl, onMine)) {
            fence.advance("r", mark(higher, A));
            assertThatThrownBy(() -> fence.advance("r", mark(lower, A))).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> fence.advance("r", mark(higher, B))).isInstanceOf(StaleTokenException.class);
            fence.advance("r", mark(higher, A));
            assertThat(fence.remove("r")).isTrue();
            assertThat(fence.remove("r")).isFalse();
            fence.advance("r", mark(lower, A));
            fence.advance("r", mark(higher, B));
            assertThat(fence.mark("r")).hasValue(mark(higher, B));
            fence.remove("r");
        }
    }

    @Test
    void fen5_raiseLeavesNoHolder() {
        for (EtcdFence fence : List.of(byUrl, onMine)) {
            assertThat(fence.raise("r", 3)).isEqualTo(mark(3, null));
            fence.advance("r", mark(7, A));
            assertThat(fence.raise("r", 6)).isEqualTo(mark(7, A));
            assertThat(fence.raise("r", 7)).isEqualTo(mark(7, null));
            assertThatThrownBy(() -> fence.advance("r", mark(7, A))).isInstanceOf(StaleTokenException.class);
            assertThat(fence.raise("r", 8)).isEqualTo(mark(8, null));
            assertThatThrownBy(() -> fence.raise("r", 0)).isInstanceOf(IllegalArgumentException.class);
            fence.remove("r");
        }
    }

    @Test
    void marksAreListedAndExpire() {
        List<String> names = List.of("a", "a/b", "a%2Fb", ".", "{x}y", "naïve-名前");
        names.forEach(name -> byUrl.advance(name, mark(3, B)));
        for (EtcdFence fence : List.of(byUrl, onMine)) {
            List<MarkInfo> listed = listed(fence);
            assertThat(listed).extracting(MarkInfo::resource).containsExactlyInAnyOrderElementsOf(names);
            assertThat(listed).allSatisfy(info -> {
                assertThat(info.mark()).isEqualTo(mark(3, B));
                assertThat(info.usedAt())
                        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
            });
            long hourAgo = Instant.now().minusSeconds(3600).getEpochSecond();
            String old = "0".repeat(19) + "9:" + A + ":" + hourAgo;
            client.getKVClient().put(bytes(prefix + "/marks/old"), bytes(old)).join();
            assertThat(fence.expire(Duration.ofHours(2))).isZero();
            assertThat(fence.expire(Duration.ofMinutes(30))).isEqualTo(1);
            assertThat(listed(fence)).hasSize(names.size());
            assertThatThrownBy(() -> fence.expire(Duration.ofMillis(999))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static List<MarkInfo> listed(Fence fence) {
        List<MarkInfo> all = new ArrayList<>();
        fence.forEachMark(all::add);
        return all;
    }

    @Test
    void registersShareTheMark() {
        try (FencedRegister register = FencedRegister.connect(url)) {
            register.write("r", mark(4, A), "value");
            byUrl.advance("r", mark(5, B));
            assertThatThrownBy(() -> register.write("r", mark(4, A), "late")).isInstanceOf(StaleTokenException.class);
            byUrl.remove("r");
            assertThat(register.read("r")).hasValue("value");
        }
    }

    @Test
    void guard_writesOnlyWhileTheVeryEntryStands() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(url);
                FencedLocks others = FencedLocks.connect("memory:");
                EtcdGuard byUrl = EtcdGuard.connect(url);
                EtcdGuard onMine = EtcdGuard.on(client, LIMIT)) {
            Lease first = locks.get("g").acquire();
            for (EtcdGuard guard : List.of(byUrl, onMine)) {
                guard.writer(first).put(prefix + "g", "first");
                assertThat(value(prefix + "g")).isEqualTo("first");
            }
            first.release();
            for (EtcdGuard guard : List.of(byUrl, onMine)) {
                assertThatThrownBy(() -> guard.writer(first).put(prefix + "g", "free"))
                        .isInstanceOfSatisfying(
                                LeaseLostException.class,
                                e -> assertThat(e.grant()).isEqualTo(first.grant()));
            }
            try (Lease second = locks.get("g").acquire()) { // it has written nothing yet
                assertThatThrownBy(() -> onMine.writer(first).delete(prefix + "g"))
                        .isInstanceOf(LeaseLostException.class);
                onMine.writer(second).commit(Op.delete(bytes(prefix + "g"), DeleteOption.DEFAULT));
            }
            assertThat(value(prefix + "g")).isNull();
            Lease foreign = others.get("g").acquire();
            assertThatThrownBy(() -> byUrl.writer(foreign)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void wrongUrl_isNamed() {
        assertThatThrownBy(() -> EtcdFence.connect("redis://localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("redis");
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void exercise() throws Exception {
        long seed = Long.getLong("fencedlock.seed", System.nanoTime());
        FenceExercise byUrlOnly = new FenceExercise(new Log(byUrl), seed);
        FenceExercise onMineOnly = new FenceExercise(new Log(onMine), seed);
        byUrlOnly.oneByOne(FULL ? 25_000 : 150);
        onMineOnly.oneByOne(FULL ? 25_000 : 150);
        byUrlOnly.atOnce(FULL ? 25_000 : 200);
        onMineOnly.atOnce(FULL ? 25_000 : 200);
        if (FULL) {
            System.out.println("EtcdFence by URL: " + byUrlOnly.summary() + "; on jetcd: " + onMineOnly.summary());
        }
    }

    /** A key for each entry: the order is that of their revisions. */
    private record Log(EtcdFence fence) implements FenceExercise.Subject {

        @Override
        public void append(String resource, FenceMark mark) {
            fence.writer(resource, mark)
                    .put("log/" + resource + "/" + HolderId.random(), mark.token() + ":" + mark.holder());
        }

        @Override
        public List<FenceMark> appended(String resource) {
            GetOption byRevision = GetOption.builder()
                    .isPrefix(true)
                    .withSortField(GetOption.SortTarget.CREATE)
                    .withSortOrder(GetOption.SortOrder.ASCEND)
                    .build();
            return get("log/" + resource + "/", byRevision).stream()
                    .map(found -> found.getValue().toString(UTF_8).split(":"))
                    .map(parts -> mark(Long.parseLong(parts[0]), new HolderId(parts[1])))
                    .toList();
        }
    }
}
