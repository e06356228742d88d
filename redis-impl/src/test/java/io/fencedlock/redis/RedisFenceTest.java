package io.fencedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisFenceTest {

    private static final HolderId A = HolderId.random();
    private static final HolderId B = HolderId.random();
    private static final boolean FULL = "full".equals(System.getProperty("fencedlock.profile"));

    private static Server server;
    private static Kit.Admin admin;
    private RedisFence byUrl;
    private RedisFence onMine;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.REDIS);
        admin = new Kit.Admin(server.url());
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    @BeforeEach
    void open() {
        admin.redis().flushall();
        byUrl = RedisFence.connect(server.url());
        onMine = RedisFence.on(admin.connection());
    }

    @AfterEach
    void close() {
        byUrl.close();
        onMine.close();
    }

    private static FenceMark mark(long token, HolderId holder) {
        return new FenceMark(token, holder);
    }

    @Test
    void writer_changesWhatTheFenceAdmits() {
        for (RedisFence fence : List.of(byUrl, onMine)) {
            RedisWriter writer = fence.writer("text", mark(34, B));
            writer.set("text", "new");
            writer.setFields("hash", Map.of("a", "1", "b", "2"));
            assertThat(writer.deleteFields("hash", "a", "none")).isEqualTo(1);
            assertThat(writer.delete("none")).isFalse();
            assertThat(admin.redis().get("text")).isEqualTo("new");
            assertThat(admin.redis().hgetall("hash")).isEqualTo(Map.of("b", "2"));

            RedisWriter late = fence.writer("text", mark(33, A));
            assertThatThrownBy(() -> late.set("text", "old")).isInstanceOfSatisfying(StaleTokenException.class, e -> {
                assertThat(e.resource()).isEqualTo("text");
                assertThat(e.staleToken()).isEqualTo(33);
                assertThat(e.acceptedToken()).isEqualTo(34);
            });
            assertThatThrownBy(() -> late.setFields("hash", Map.of("b", "old")))
                    .isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> late.delete("text")).isInstanceOf(StaleTokenException.class);
            assertThat(admin.redis().get("text")).isEqualTo("new");
            assertThat(writer.delete("text")).isTrue();
            assertThat(fence.mark("text")).hasValue(mark(34, B));
        }
    }

    @ParameterizedTest
    @CsvSource({"9007199254740992, 9007199254740993", "9223372036854775806, 9223372036854775807", "9, 10", "99, 100"})
    void tok7_marksAreExact(long lower, long higher) {
        byUrl.writer("r", mark(higher, A)).set("r", "higher");
        assertThatThrownBy(() -> byUrl.writer("r", mark(lower, A)).set("r", "lower"))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> byUrl.advance("r", mark(higher, B))).isInstanceOf(StaleTokenException.class);
        assertThat(byUrl.remove("r")).isTrue();
        byUrl.advance("r", mark(lower, A));
        byUrl.advance("r", mark(higher, B));
        assertThat(byUrl.mark("r")).hasValue(mark(higher, B));
    }

    @Test
    void run_hasKeysAndArgumentsOfItsOwn() {
        RedisWriter writer = onMine.writer("first", mark(5, A));
        Object answer = writer.run("""
            redis.call('RPUSH', KEYS[2], ARGV[1], ARGV[2])
            return {redis.call('GET', KEYS[1]), redis.call('LLEN', KEYS[2]), #KEYS, #ARGV} -- the end
            """, List.of("first", "list"), "x", "y");
        assertThat(answer).isEqualTo(new ArrayList<>(java.util.Arrays.asList(null, 2L, 2L, 2L)));
        assertThat(writer.run("return ARGV[1]", List.of("first"), "back")).isEqualTo("back");
        assertThat(writer.run("local unused = 1", List.of("first"))).isNull();
        assertThat(onMine.mark("first")).hasValue(mark(5, A));
        assertThat(onMine.mark("list")).isEmpty();
    }

    @Test
    void run_thatFailsIsToldFromARefusal() {
        admin.redis().set("text", "x");
        for (RedisFence fence : List.of(byUrl, onMine)) {
            RedisWriter writer = fence.writer("text", mark(6, A));
            assertThatThrownBy(() -> writer.setFields("text", Map.of("a", "b")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("text")
                    .hasMessageContaining("WRONGTYPE");
            assertThat(fence.mark("text")).hasValue(mark(6, A));
            assertThatThrownBy(() -> writer.run("return redis.error_reply('ERR mine')", List.of("text")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ERR mine");
            assertThatThrownBy(() -> writer.run("this is not Lua", List.of("other")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("compiling");
        }
    }

    @Test
    void scriptsThatTheServerLostAreSentAgain() {
        for (RedisFence fence : List.of(byUrl, onMine)) {
            fence.writer("r", mark(1, A)).set("r", "1");
            admin.redis().scriptFlush();
            fence.writer("r", mark(1, A)).set("r", "2");
            assertThat(admin.redis().get("r")).isEqualTo("2");
        }
    }

    @Test
    void fen3_advanceAndFen5_raise() {
        byUrl.advance("r", mark(7, A));
        assertThatThrownBy(() -> byUrl.writer("r", mark(6, B)).set("r", "x")).isInstanceOf(StaleTokenException.class);
        assertThat(admin.redis().get("r")).isNull();

        assertThat(byUrl.raise("r", 6)).isEqualTo(mark(7, A));
        assertThat(byUrl.raise("r", 7)).isEqualTo(mark(7, null));
        assertThatThrownBy(() -> byUrl.advance("r", mark(7, A))).isInstanceOf(StaleTokenException.class);
        assertThat(byUrl.raise("r", Long.MAX_VALUE - 1)).isEqualTo(mark(Long.MAX_VALUE - 1, null));
        byUrl.advance("r", mark(Long.MAX_VALUE, A));
        assertThatThrownBy(() -> byUrl.raise("r", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> byUrl.advance(" ", mark(1, A))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void marksAreListedAndExpire() {
        String prefix = "od?d[x]*:";
        RedisFence fence = onMine.withPrefix(prefix);
        onMine.advance("elsewhere", mark(1, A));
        List<String> names = List.of("a", "{x}y", "a{b}c", "}{", "{", "a}:mark:b", "naïve-名前");
        names.forEach(name -> fence.advance(name, mark(3, B)));
        assertThat(listed(fence)).extracting(MarkInfo::resource).containsExactlyInAnyOrderElementsOf(names);
        assertThat(listed(fence)).allSatisfy(info -> {
            assertThat(info.mark()).isEqualTo(mark(3, B));
            assertThat(info.usedAt())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        });

        long hourAgo = Instant.now().minusSeconds(3600).getEpochSecond();
        admin.redis().set(prefix + "1:{old}:mark:old", "9:" + A + ":" + hourAgo);
        assertThat(fence.expire(Duration.ofHours(2))).isZero();
        assertThat(fence.expire(Duration.ofMinutes(30))).isEqualTo(1);
        assertThat(listed(fence)).hasSize(names.size());
        assertThat(listed(byUrl)).extracting(MarkInfo::resource).containsExactly("elsewhere");
        assertThatThrownBy(() -> fence.expire(Duration.ofMillis(999))).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<MarkInfo> listed(Fence fence) {
        List<MarkInfo> all = new ArrayList<>();
        fence.forEachMark(all::add);
        return all;
    }

    @Test
    void registersShareTheMark() {
        try (FencedRegister register = FencedRegister.connect(server.url());
                Fence fence = Fence.connect(server.url())) {
            register.write("r", mark(4, A), "value");
            fence.advance("r", mark(5, B));
            assertThatThrownBy(() -> register.write("r", mark(4, A), "late")).isInstanceOf(StaleTokenException.class);
            fence.remove("r");
            assertThat(register.read("r")).hasValue("value");
        }
    }

    @Test
    void guard_writesOnlyWhileTheVeryEntryStands() throws Exception {
        try (FencedLocks locks = FencedLocks.connect(server.url());
                RedisGuard byUrl = RedisGuard.connect(server.url());
                RedisGuard onMine = RedisGuard.on(admin.connection())) {
            Lease first = locks.get("g").acquire();
            for (RedisGuard guard : List.of(byUrl, onMine)) {
                guard.writer(first).set("guarded", "first");
                assertThat(guard.writer(first).run("return redis.call('GET', KEYS[1])", List.of("guarded")))
                        .isEqualTo("first");
            }
            first.release();
            for (RedisGuard guard : List.of(byUrl, onMine)) {
                assertThatThrownBy(() -> guard.writer(first).set("guarded", "free"))
                        .isInstanceOfSatisfying(
                                LeaseLostException.class,
                                e -> assertThat(e.grant()).isEqualTo(first.grant()));
            }
            try (Lease second = locks.get("g").acquire()) { // it has written nothing yet
                assertThatThrownBy(() -> onMine.writer(first).delete("guarded")).isInstanceOf(LeaseLostException.class);
                assertThat(onMine.writer(second).delete("guarded")).isTrue();
            }
            assertThatThrownBy(() -> onMine.withPrefix("other:").writer(first).set("guarded", "x"))
                    .isInstanceOf(LeaseLostException.class);
        }
        assertThat(admin.redis().get("guarded")).isNull();
    }

    @Test
    void wrongUrl_isNamed() {
        assertThatThrownBy(() -> RedisFence.connect("etcd://localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("etcd");
        assertThatThrownBy(() -> onMine.withPrefix("{}")).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void exercise() throws Exception {
        long seed = Long.getLong("fencedlock.seed", System.nanoTime());
        FenceExercise exercise = new FenceExercise(
                new FenceExercise.Subject() {
                    @Override
                    public Fence fence() {
                        return byUrl;
                    }

                    @Override
                    public void append(String resource, FenceMark mark) {
                        byUrl.writer(resource, mark)
                                .run("redis.call('RPUSH', KEYS[1], ARGV[1])", List.of(resource), text(mark));
                    }

                    @Override
                    public List<FenceMark> appended(String resource) {
                        return admin.redis().lrange(resource, 0, -1).stream()
                                .map(text -> StoredMark.parse(text).mark())
                                .toList();
                    }
                },
                seed);
        exercise.oneByOne(FULL ? 50_000 : 600);
        exercise.atOnce(FULL ? 50_000 : 600);
        if (FULL) {
            System.out.println("RedisFence: " + exercise.summary());
        }
    }

    private static String text(FenceMark mark) {
        return mark.token() + ":" + StoredMark.holder(mark) + ":0";
    }
}
