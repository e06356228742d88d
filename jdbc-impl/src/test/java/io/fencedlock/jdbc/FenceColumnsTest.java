package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.FenceMark;
import io.fencedlock.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fence as columns of the guarded row. */
class FenceColumnsTest {
    private final FenceColumns columns = new FenceColumns();

    private static void prepare(Database db) throws SQLException {
        db.execute(
                "DROP TABLE IF EXISTS account",
                "CREATE TABLE account (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL,"
                        + " fence BIGINT NOT NULL DEFAULT 0, fence_holder VARCHAR(32))",
                "INSERT INTO account (id, balance) VALUES (1, 0)");
    }

    private void setBalance(Connection connection, long id, long balance, FenceMark mark) throws SQLException {
        String update =
                "UPDATE account SET balance = ?, " + columns.assignment() + " WHERE id = ? AND " + columns.condition();
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setLong(1, balance);
            int next = columns.bindAssignment(statement, 2, mark);
            statement.setLong(next, id);
            columns.bindCondition(statement, next + 1, mark);
            if (statement.executeUpdate() == 0) {
                columns.refused(connection, "account", "id", id, mark);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void update_passesAsTheRuleSays(Database db) throws Exception {
        prepare(db);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        FenceMark[] marks = new FenceMark[30];
        for (int i = 0; i < marks.length; i++) {
            marks[i] = Marks.of(Long.MAX_VALUE - 20 + random.nextInt(20));
        }
        FenceMark accepted = null;
        try (Connection connection = db.pool().getConnection()) {
            for (int i = 0; i < 300; i++) {
                FenceMark mark = i < 150 ? Marks.of(1 + i + random.nextInt(3)) : marks[random.nextInt(marks.length)];
                boolean admitted = accepted == null || accepted.admits(mark);
                boolean passed = true;
                try {
                    setBalance(connection, 1, i, mark);
                } catch (StaleTokenException e) {
                    passed = false;
                    assertThat(e.acceptedToken()).isEqualTo(accepted.token());
                    assertThat(e.staleToken()).isEqualTo(mark.token());
                    assertThat(e.resource()).isEqualTo("account 1");
                }
                assertThat(passed).as("seed %d: %s on %s", seed, mark, accepted).isEqualTo(admitted);
                accepted = admitted ? mark : accepted;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void advance_raisesWithoutWriting(Database db) throws Exception {
        prepare(db);
        FenceMark two = Marks.of(2);
        try (Connection connection = db.pool().getConnection()) {
            columns.advance(connection, "account", "id", 1L, two);
            columns.advance(connection, "account", "id", 1L, two);
            assertThatThrownBy(() -> setBalance(connection, 1, 5, Marks.of(1))).isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> columns.advance(connection, "account", "id", 9L, two))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("account 9");
            assertThatThrownBy(() -> columns.advance(connection, "account", "id", 1L, new FenceMark(9, null)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
