package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fencedlock.FenceMark;
import io.fencedlock.StaleTokenException;
import io.fencedlock.jdbc.Database.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two transactions race on one fence row: never both commit in the wrong order, at three isolation levels on three databases. */
class RaceTest {
    private final JdbcFence fence = new JdbcFence();
    private final String resource = Marks.resource("balance");

    static Stream<Arguments> levels() {
        return Arrays.stream(Database.values())
                .flatMap(db -> Arrays.stream(Isolation.values()).map(isolation -> arguments(db, isolation)));
    }

    private void prepare(Database db) throws SQLException {
        fence.createTable(db.pool());
        db.execute("CREATE TABLE IF NOT EXISTS balance (id VARCHAR(200) PRIMARY KEY, amount BIGINT NOT NULL)");
        try (Connection connection = db.pool().getConnection()) {
            Sql.update(connection, "INSERT INTO balance VALUES (?, 0)", resource);
        }
        fence.advance(db.pool(), resource, Marks.of(1));
    }

    private long amount(Connection connection) throws SQLException {
        return Sql.one(connection, "SELECT amount FROM balance WHERE id = ?", row -> row.getLong(1), resource)
                .orElseThrow();
    }

    private void write(Connection connection, long amount) throws SQLException {
        Sql.update(connection, "UPDATE balance SET amount = ? WHERE id = ?", amount, resource);
    }

    /** Enters, adds to what is read there, commits; false if refused or if the database asks for a repeat. */
    private boolean adds(Connection connection, FenceMark mark, long more) throws SQLException {
        try {
            fence.enter(connection, resource, mark);
            write(connection, amount(connection) + more);
            connection.commit();
            return true;
        } catch (StaleTokenException e) {
            connection.rollback();
            return false;
        } catch (SQLException e) {
            assertThat(SqlFailure.isRepeatable(e)).as("%s", e).isTrue();
            connection.rollback();
            return false;
        }
    }

    private boolean addsWithOneRepeat(Connection connection, FenceMark mark, long more) throws SQLException {
        boolean first = adds(connection, mark, more);
        return first || adds(connection, mark, more);
    }

    @ParameterizedTest
    @MethodSource("levels")
    void newerWaitsForOlder_andBuildsOnWhatItWrote(Database db, Isolation isolation) throws Exception {
        prepare(db);
        try (Connection older = db.connect(isolation);
                Connection newer = db.connect(isolation)) {
            fence.enter(older, resource, Marks.of(10));
            write(older, 100);
            FenceMark eleven = Marks.of(11);
            CompletableFuture<Boolean> waiting = inBackground(() -> adds(newer, eleven, 5));
            older.commit();
            boolean committed = waiting.join() || adds(newer, eleven, 5); // repeated once at most
            assertThat(committed).isTrue();
            assertThat(amount(newer)).isEqualTo(105);
        }
    }

    @ParameterizedTest
    @MethodSource("levels")
    void olderWaitsForNewer_andIsRefused(Database db, Isolation isolation) throws Exception {
        prepare(db);
        try (Connection older = db.connect(isolation);
                Connection newer = db.connect(isolation)) {
            fence.enter(newer, resource, Marks.of(11));
            write(newer, 100);
            FenceMark ten = Marks.of(10);
            CompletableFuture<Boolean> waiting = inBackground(() -> adds(older, ten, 5));
            newer.commit();
            assertThat(waiting.join()).isFalse();
            assertThat(adds(older, ten, 5)).isFalse();
            assertThat(amount(newer)).isEqualTo(100);
        }
    }

    /** It has read before it enters, as it should not: what it read is old by then. */
    @ParameterizedTest
    @MethodSource("levels")
    void oldSnapshot_isNeverBuiltOn(Database db, Isolation isolation) throws Exception {
        prepare(db);
        try (Connection first = db.connect(isolation);
                Connection reader = db.connect(isolation)) {
            boolean readersLock = db == Database.MARIADB && isolation == Isolation.SERIALIZABLE;
            if (!readersLock) {
                assertThat(amount(reader)).isZero();
            } else {
                assertThat(Sql.one(reader, "SELECT COUNT(*) FROM balance WHERE id = 'none'", row -> row.getLong(1)))
                        .contains(0L);
            }
            assertThat(adds(first, Marks.of(10), 100)).isTrue();
            FenceMark eleven = Marks.of(11);
            assertThat(addsWithOneRepeat(reader, eleven, 5)).isTrue();
            assertThat(amount(first)).isEqualTo(105);
        }
    }

    /** The same holder twice: its mark stays the same, what it guards does not. */
    @ParameterizedTest
    @MethodSource("levels")
    void oldSnapshotOfTheSameHolder_isNeverBuiltOn(Database db, Isolation isolation) throws Exception {
        prepare(db);
        FenceMark ten = Marks.of(10);
        fence.advance(db.pool(), resource, ten);
        try (Connection first = db.connect(isolation);
                Connection second = db.connect(isolation)) {
            Sql.list(
                    second, "SELECT token FROM fencedlock_fence WHERE resource = ?", row -> row.getLong(1), new byte[] {
                        1
                    });
            assertThat(adds(first, ten, 100)).isTrue();
            assertThat(addsWithOneRepeat(second, ten, 5)).isTrue();
            assertThat(amount(first)).isEqualTo(105);
        }
    }

    private interface Step {
        boolean run() throws SQLException;
    }

    /** Starts a step, and returns when it waits for a lock or is over, as far as that can be told from outside: it had time to get there. */
    private static CompletableFuture<Boolean> inBackground(Step step) {
        CompletableFuture<Boolean> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.complete(step.run());
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        });
        thread.start();
        await().atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ofMillis(50))
                .until(() -> outcome.isDone() || isInDriver(thread));
        return outcome;
    }

    private static boolean isInDriver(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(RowLock.class.getName()));
    }
}
