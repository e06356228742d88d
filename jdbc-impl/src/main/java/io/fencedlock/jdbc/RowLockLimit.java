package io.fencedlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;

/** A limit on the wait for row locks while some statements run; the connection's own limit is put back afterwards. */
final class RowLockLimit {
    /** What runs under the limit. */
    interface Statements<T> {
        T run() throws SQLException;
    }

    private final Dialect dialect;
    private final Connection connection;
    private final Duration limit;

    RowLockLimit(Dialect dialect, Connection connection, Duration limit) {
        this.dialect = dialect;
        this.connection = connection;
        this.limit = limit;
    }

    /** Runs the statements; a wait beyond the limit is a {@link SQLTimeoutException} with this message. */
    <T> T during(String complaint, Statements<T> statements) throws SQLException {
        String before = read();
        set(Long.toString(dialect == Dialect.MARIADB ? roundedSeconds() : limit.toMillis()));
        T result;
        try {
            result = statements.run();
        } catch (SQLException | RuntimeException e) {
            putBackAfter(e, before);
            if (e instanceof SQLException sql && SqlFailure.isLockTimeout(sql)) {
                throw new SQLTimeoutException(complaint, sql.getSQLState(), sql.getErrorCode(), sql);
            }
            throw e;
        }
        set(before);
        return result;
    }

    /** PostgreSQL takes no statement in a failed transaction, and forgets the limit at its end by itself. */
    private void putBackAfter(Exception failure, String before) {
        if (dialect == Dialect.POSTGRESQL && failure instanceof SQLException) {
            return;
        }
        try {
            set(before);
        } catch (SQLException e) {
            failure.addSuppressed(e); // the connection is lost
        }
    }

    private long roundedSeconds() {
        return Math.max(1, limit.plusMillis(999).toSeconds());
    }

    private String read() throws SQLException {
        String ask = switch (dialect) {
            case POSTGRESQL -> "SHOW lock_timeout";
            case MARIADB -> "SELECT @@SESSION.innodb_lock_wait_timeout";
            case H2 -> "SELECT LOCK_TIMEOUT()";
        };
        return Sql.one(connection, ask, row -> row.getString(1)).orElseThrow();
    }

    private void set(String value) throws SQLException {
        String set = switch (dialect) {
            case POSTGRESQL -> "SET LOCAL lock_timeout = '" + value + "'";
            case MARIADB -> "SET SESSION innodb_lock_wait_timeout = " + value;
            case H2 -> "SET LOCK_TIMEOUT " + value;
        };
        try (Statement statement = connection.createStatement()) {
            statement.execute(set);
        }
    }
}
