package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import io.fencedlock.jdbc.Database.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fence in a table of its own, on each database. */
class JdbcFenceTest {
    private final JdbcFence fence = new JdbcFence();
    private final String resource = Marks.resource("invoice");

    @ParameterizedTest
    @EnumSource
    void fen1_markAdmitsNewerTokensAndItsOwnHolder(Database db) throws Exception {
        fence.createTable(db.pool());
        FenceMark seven = Marks.of(7);
        fence.advance(db.pool(), resource, seven);
        fence.advance(db.pool(), resource, seven);
        assertThat(fence.mark(db.pool(), resource)).contains(seven);
        FenceMark max = Marks.of(Long.MAX_VALUE);
        fence.advance(db.pool(), resource, Marks.of(Long.MAX_VALUE - 1));
        fence.advance(db.pool(), resource, max);
        assertThat(fence.mark(db.pool(), resource)).contains(max);
    }

    @ParameterizedTest
    @EnumSource
    void fen4_refusalCarriesBothTokensAndTheResource(Database db) throws Exception {
        fence.createTable(db.pool());
        fence.advance(db.pool(), resource, Marks.of(34));
        for (long stale : new long[] {1, 33, 34}) {
            assertThatThrownBy(() -> fence.advance(db.pool(), resource, Marks.of(stale)))
                    .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                        assertThat(e.resource()).isEqualTo(resource);
                        assertThat(e.staleToken()).isEqualTo(stale);
                        assertThat(e.acceptedToken()).isEqualTo(34);
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void fen2_markAndEffectAreOne(Database db) throws Exception {
        fence.createTable(db.pool());
        db.execute("DROP TABLE IF EXISTS note", "CREATE TABLE note (txt VARCHAR(50))");
        FenceMark first = Marks.of(1);
        fence.advance(db.pool(), resource, first);

        assertThatThrownBy(() -> fence.inFence(db.pool(), resource, Marks.of(2), connection -> {
                    Sql.update(connection, "INSERT INTO note VALUES ('lost')");
                    throw new IllegalStateException("the work failed");
                }))
                .hasMessage("the work failed");
        assertThat(fence.mark(db.pool(), resource)).contains(first);
        assertThat(notes(db)).isEmpty();

        fence.inFence(db.pool(), resource, first, c -> Sql.update(c, "INSERT INTO note VALUES ('kept')"));
        assertThat(notes(db)).containsExactly("kept");
    }

    private static List<String> notes(Database db) throws SQLException {
        try (Connection connection = db.pool().getConnection()) {
            return Sql.list(connection, "SELECT txt FROM note", row -> row.getString(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void autoCommit_isRefused(Database db) throws Exception {
        fence.createTable(db.pool());
        try (Connection connection = db.pool().getConnection()) {
            assertThatThrownBy(() -> fence.enter(connection, resource, Marks.of(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(fence.mark(db.pool(), resource)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void rowHeldByAnother_endsWithinTheLimitAndTheOldLimitIsBack(Database db) throws Exception {
        fence.createTable(db.pool());
        JdbcFence hasty = fence.withLockLimit(Duration.ofMillis(400));
        try (Connection inside = db.connect(Isolation.READ_COMMITTED);
                Connection outside = db.connect(Isolation.READ_COMMITTED)) {
            setLimit(db, outside, 77);
            fence.enter(inside, resource, Marks.of(1));
            long start = System.nanoTime();
            assertThatThrownBy(() -> hasty.enter(outside, resource, Marks.of(2)))
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining(resource);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(350), Duration.ofSeconds(60));
            outside.rollback();
            assertThat(limit(db, outside)).isEqualTo(77);
            inside.commit();
            hasty.enter(outside, resource, Marks.of(3));
            assertThat(limit(db, outside)).isEqualTo(77);
            outside.rollback();
        }
    }

    private static void setLimit(Database db, Connection connection, int seconds) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    switch (db) {
                        case POSTGRESQL -> "SET lock_timeout = '" + seconds + "s'";
                        case MARIADB -> "SET SESSION innodb_lock_wait_timeout = " + seconds;
                        case H2 -> "SET LOCK_TIMEOUT " + seconds + "000";
                    });
        }
        connection.commit();
    }

    private static long limit(Database db, Connection connection) throws SQLException {
        String ask = switch (db) {
            case POSTGRESQL -> "SELECT setting::int / 1000 FROM pg_settings WHERE name = 'lock_timeout'";
            case MARIADB -> "SELECT @@SESSION.innodb_lock_wait_timeout";
            case H2 -> "SELECT LOCK_TIMEOUT() / 1000";
        };
        return Sql.one(connection, ask, row -> row.getLong(1)).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void firstUseByManyAtOnce_allPassInTheOrderOfTheirTokens(Database db) throws Exception {
        fence.createTable(db.pool());
        int many = 6;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            for (int round = 0; round < 15; round++) {
                for (Isolation isolation : Isolation.values()) {
                    String fresh = Marks.resource("fresh");
                    CyclicBarrier together = new CyclicBarrier(many);
                    List<Future<Boolean>> entered = new ArrayList<>();
                    for (int i = 0; i < many; i++) {
                        FenceMark mark = Marks.of(i + 1);
                        entered.add(threads.submit((Callable<Boolean>) () -> {
                            together.await();
                            return enters(db, isolation, fresh, mark);
                        }));
                    }
                    for (Future<Boolean> one : entered) {
                        one.get();
                    }
                    assertThat(entered.get(many - 1).get())
                            .as("the newest is never refused")
                            .isTrue();
                    assertThat(fence.mark(db.pool(), fresh).orElseThrow().token())
                            .isEqualTo(many);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean enters(Database db, Isolation isolation, String fresh, FenceMark mark) throws SQLException {
        try {
            fence.advance(db.pool(isolation), fresh, mark);
            return true;
        } catch (StaleTokenException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void names_areComparedByteByByte(Database db) throws Exception {
        fence.createTable(db.pool());
        List<String> names = List.of("straße", "strasse", "STRASSE", "e\u0301", "é", "x ", "x", "日本", "a%", "a_");
        for (int i = 0; i < names.size(); i++) {
            fence.advance(db.pool(), resource + names.get(i), Marks.of(100 - i));
        }
        for (int i = 0; i < names.size(); i++) {
            assertThat(fence.mark(db.pool(), resource + names.get(i))
                            .orElseThrow()
                            .token())
                    .isEqualTo(100 - i);
        }
        assertThatThrownBy(() -> fence.advance(db.pool(), " ", Marks.of(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void fen5_raiseListExpireAndRemove(Database db) throws Exception {
        JdbcFence own = fence.withTable("marks_of_" + db.name().toLowerCase(java.util.Locale.ROOT));
        own.createTable(db.pool());
        own.createTable(db.pool());
        FenceMark five = Marks.of(5);
        own.advance(db.pool(), "b", five);
        assertThat(own.raise(db.pool(), "a", 9)).isEqualTo(new FenceMark(9, null));
        assertThat(own.raise(db.pool(), "b", 4)).isEqualTo(five);
        assertThatThrownBy(() -> own.advance(db.pool(), "a", Marks.of(9))).isInstanceOf(StaleTokenException.class);

        List<StoredMark> marks = own.marks(db.pool(), "", 10);
        assertThat(marks).extracting(StoredMark::resource).containsExactly("a", "b");
        assertThat(marks).extracting(StoredMark::mark).containsExactly(new FenceMark(9, null), five);
        assertThat(marks.get(0).changedAt())
                .isBetween(
                        java.time.Instant.now().minusSeconds(60),
                        java.time.Instant.now().plusSeconds(60));
        assertThat(own.marks(db.pool(), "a", 10))
                .extracting(StoredMark::resource)
                .containsExactly("b");
        assertThat(own.marks(db.pool(), "", 1)).hasSize(1);

        assertThat(own.expire(db.pool(), Duration.ofHours(1))).isZero();
        await().atMost(Duration.ofSeconds(30)).until(() -> own.expire(db.pool(), Duration.ofSeconds(1)) > 0);
        own.advance(db.pool(), "c", Marks.of(3));
        own.remove(db.pool(), "c");
        own.remove(db.pool(), "c");
        assertThat(own.mark(db.pool(), "c")).isEmpty();
        own.expire(db.pool(), Duration.ofSeconds(1));
        db.execute("DROP TABLE marks_of_" + db.name().toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void wrongNamesAndLimits_areRefused() {
        assertThatThrownBy(() -> fence.withTable("x; DROP TABLE y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x; DROP TABLE y");
        assertThatThrownBy(() -> fence.withLockLimit(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.expire(Database.H2.pool(), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void twoFencesInOppositeOrder_areRepeatedUntilBothAreDone(Database db) throws Exception {
        fence.createTable(db.pool());
        String other = Marks.resource("other");
        HolderId holder = HolderId.random();
        fence.advance(db.pool(), resource, new FenceMark(1, holder));
        fence.advance(db.pool(), other, new FenceMark(1, holder));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            CyclicBarrier inside = new CyclicBarrier(2);
            boolean[] met = {false, false};
            List<Future<?>> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int me = i;
                both.add(threads.submit(() ->
                        fence.inFence(db.pool(), me == 0 ? resource : other, new FenceMark(1, holder), connection -> {
                            if (!met[me]) {
                                met[me] = true;
                                meet(inside);
                            }
                            fence.enter(connection, me == 0 ? other : resource, new FenceMark(1, holder));
                            return true;
                        })));
            }
            for (Future<?> one : both) {
                one.get();
            }
            assertThat(fence.marks(db.pool(), resource.substring(0, resource.length() - 1), 1)
                            .get(0)
                            .entries())
                    .isEqualTo(3);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
