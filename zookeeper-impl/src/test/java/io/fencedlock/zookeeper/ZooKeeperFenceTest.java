package io.fencedlock.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.LeaseLostException;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.MarkInfo;
import io.fencedlock.OutcomeUnknownException;
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
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZooKeeperFenceTest {

    private static final HolderId A = HolderId.random();
    private static final HolderId B = HolderId.random();
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final boolean FULL = "full".equals(System.getProperty("fencedlock.profile"));

    private static Server server;
    private static CuratorFramework curator;

    private String prefix;
    private String url;
    private ZooKeeperFence byUrl;
    private ZooKeeperFence onMine;

    @BeforeAll
    static void start() throws Exception {
        server = Servers.start(Store.ZOOKEEPER);
        curator = CuratorFrameworkFactory.newClient(Rig.hostAndPort(server.address()), new RetryForever(100));
        curator.start();
        assertThat(curator.blockUntilConnected(20, TimeUnit.SECONDS)).isTrue();
    }

    @AfterAll
    static void stop() {
        curator.close();
        server.close();
    }

    @BeforeEach
    void open() throws Exception {
        prefix = "f" + System.nanoTime();
        url = server.url() + "/" + prefix + "?lease=10s&command-timeout=20s";
        byUrl = ZooKeeperFence.connect(url);
        onMine = ZooKeeperFence.on(curator, LIMIT).withPrefix(prefix);
        curator.create().creatingParentsIfNeeded().forPath(path("a"), bytes("0"));
    }

    @AfterEach
    void close() {
        byUrl.close();
        onMine.close();
    }

    private static FenceMark mark(long token, HolderId holder) {
        return new FenceMark(token, holder);
    }

    private String path(String name) {
        return "/data-" + prefix + "/" + name;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static Op set(String path, String text) {
        return Op.setData(path, bytes(text), -1);
    }

    private String value(String name) throws Exception {
        return new String(curator.getData().forPath(path(name)), UTF_8);
    }

    @Test
    void writer_changesWhatTheFenceAdmits() throws Exception {
        for (ZooKeeperFence fence : List.of(byUrl, onMine)) {
            ZooKeeperWriter writer = fence.writer("r", mark(34, B));
            writer.commit(set(path("a"), "1"));
            writer.commit(
                    curator.transactionOp().setData().forPath(path("a"), bytes("2")),
                    curator.transactionOp().create().forPath(path("b")));
            assertThat(value("a")).isEqualTo("2");
            ZooKeeperWriter late = fence.writer("r", mark(33, A));
            assertThatThrownBy(() -> late.commit(Op.delete(path("b"), -1)))
                    .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                        assertThat(e.resource()).isEqualTo("r");
                        assertThat(e.staleToken()).isEqualTo(33);
                        assertThat(e.acceptedToken()).isEqualTo(34);
                    });
            writer.commit(Op.delete(path("b"), -1));
            assertThat(fence.mark("r")).hasValue(mark(34, B));
        }
    }

    @Test
    void anOperationThatCannotBeDone_changesNothing() throws Exception {
        for (ZooKeeperFence fence : List.of(byUrl, onMine)) {
            for (Op wrong : List.of(
                    Op.delete(path("none"), -1), // as if the mark were missing
                    Op.setData(path("a"), bytes("x"), 77), // as if the mark had been changed
                    Op.create(path("a"), bytes("x"), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT))) {
                assertThatThrownBy(() -> fence.writer("w", mark(5, A)).commit(set(path("a"), "x"), wrong))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("operation 2")
                        .hasMessageContaining(wrong.getPath());
            }
            assertThat(value("a")).isEqualTo("0");
            assertThat(fence.mark("w")).isEmpty();
        }
        onMine.advance("w", mark(4, A));
        assertThatThrownBy(() -> onMine.writer("w", mark(5, A)).commit(Op.delete(path("none"), -1)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(onMine.mark("w")).hasValue(mark(4, A));
    }

    @ParameterizedTest
    @CsvSource({"9007199254740992, 9007199254740993", "9223372036854775806, 9223372036854775807", "9, 10", "99, 100"})
    void tok7_marksAreExact(long lower, long higher) {
        for (ZooKeeperFence fence : List.of(byUrl, onMine)) {
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
        for (ZooKeeperFence fence : List.of(byUrl, onMine)) {
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
    void marksAreListedAndExpire() throws Exception {
        assertThat(listed(byUrl)).isEmpty();
        List<String> names = List.of("a", "a/b", "a%2Fb", ".", "{x}y", "naïve-名前");
        names.forEach(name -> byUrl.advance(name, mark(3, B)));
        try (FencedRegister register = FencedRegister.connect(url)) {
            register.writeUnfenced("without a mark", "value");
            register.write("a", mark(3, B), "value");
            for (ZooKeeperFence fence : List.of(byUrl, onMine)) {
                List<MarkInfo> listed = listed(fence);
                assertThat(listed).extracting(MarkInfo::resource).containsExactlyInAnyOrderElementsOf(names);
                assertThat(listed).allSatisfy(info -> {
                    assertThat(info.mark()).isEqualTo(mark(3, B));
                    assertThat(info.usedAt())
                            .isBetween(
                                    Instant.now().minusSeconds(60),
                                    Instant.now().plusSeconds(60));
                });
                assertThat(fence.expire(Duration.ofHours(1))).isZero();
            }
            assertThatThrownBy(() -> byUrl.expire(Duration.ofMillis(999))).isInstanceOf(IllegalArgumentException.class);
            long latest = listed(byUrl).stream()
                    .mapToLong(info -> info.usedAt().toEpochMilli())
                    .max()
                    .orElseThrow();
            await().atMost(Duration.ofSeconds(30)).until(() -> System.currentTimeMillis() > latest + 1100);
            assertThat(byUrl.expire(Duration.ofSeconds(1))).isEqualTo(names.size());
            assertThat(listed(byUrl)).isEmpty();
            assertThat(register.read("a")).hasValue("value");
            assertThat(register.read("without a mark")).hasValue("value");
        }
        assertThat(curator.getChildren().forPath("/" + prefix + "/v1")).containsExactly("registers");
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
                ZooKeeperGuard byUrl = ZooKeeperGuard.connect(url);
                ZooKeeperGuard onMine = ZooKeeperGuard.on(curator, LIMIT)) {
            Lease first = locks.get("g").acquire();
            for (ZooKeeperGuard guard : List.of(byUrl, onMine)) {
                guard.writer(first).commit(set(path("a"), "first"));
                assertThat(value("a")).isEqualTo("first");
                assertThatThrownBy(() -> guard.writer(first).commit(Op.delete(path("none"), -1)))
                        .isInstanceOf(IllegalStateException.class);
            }
            first.release();
            for (ZooKeeperGuard guard : List.of(byUrl, onMine)) {
                assertThatThrownBy(() -> guard.writer(first).commit(set(path("a"), "free")))
                        .isInstanceOfSatisfying(
                                LeaseLostException.class,
                                e -> assertThat(e.grant()).isEqualTo(first.grant()));
            }
            try (Lease second = locks.get("g").acquire()) { // it has written nothing yet
                assertThatThrownBy(() -> onMine.writer(first).commit(set(path("a"), "late")))
                        .isInstanceOf(LeaseLostException.class);
                onMine.writer(second).commit(curator.transactionOp().setData().forPath(path("a"), bytes("second")));
            }
            assertThat(value("a")).isEqualTo("second");
            Lease foreign = others.get("g").acquire();
            assertThatThrownBy(() -> byUrl.writer(foreign)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void wrongUrl_isNamed() {
        assertThatThrownBy(() -> ZooKeeperFence.connect("redis://localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("redis");
        assertThatThrownBy(() -> onMine.withPrefix("zookeeper")).isInstanceOf(LockConfigurationException.class);
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
            System.out.println(
                    "ZooKeeperFence by URL: " + byUrlOnly.summary() + "; on Curator: " + onMineOnly.summary());
        }
    }

    /** A sequential node for each entry. */
    private record Log(ZooKeeperFence fence) implements FenceExercise.Subject {

        private static String parent(String resource) {
            return "/log-" + resource.replace('/', '-');
        }

        @Override
        public void append(String resource, FenceMark mark) {
            try {
                if (curator.checkExists().forPath(parent(resource)) == null) {
                    curator.create().orSetData().forPath(parent(resource));
                }
            } catch (Exception e) {
                throw new OutcomeUnknownException("interrupted before the write", e);
            }
            fence.writer(resource, mark)
                    .commit(Op.create(
                            parent(resource) + "/e-",
                            bytes(mark.token() + ":" + mark.holder()),
                            ZooDefs.Ids.OPEN_ACL_UNSAFE,
                            CreateMode.PERSISTENT_SEQUENTIAL));
        }

        @Override
        public List<FenceMark> appended(String resource) {
            try {
                List<FenceMark> marks = new ArrayList<>();
                if (curator.checkExists().forPath(parent(resource)) == null) {
                    return marks;
                }
                curator.sync().forPath(parent(resource));
                List<String> names = new ArrayList<>(curator.getChildren().forPath(parent(resource)));
                names.sort(null);
                for (String name : names) {
                    String[] parts =
                            new String(curator.getData().forPath(parent(resource) + "/" + name), UTF_8).split(":");
                    marks.add(mark(Long.parseLong(parts[0]), new HolderId(parts[1])));
                }
                return marks;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
