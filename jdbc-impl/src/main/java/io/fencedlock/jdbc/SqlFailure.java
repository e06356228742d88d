package io.fencedlock.jdbc;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a failure means, by the codes of the databases. Standard codes (SQLState) where there are, else the vendor's numbers. */
final class SqlFailure {
    private static final String SERIALIZATION_FAILURE = "40001";

    /** MariaDB, MySQL: deadlock, lock wait timeout, record changed since the snapshot. H2: concurrent update, deadlock. */
    private static final Set<Integer> REPEATABLE = Set.of(1213, 1205, 1020, 90131, 40001);

    /** PostgreSQL, MariaDB and MySQL, H2: waited too long for a row lock. */
    private static final Set<String> LOCK_TIMEOUT_STATES = Set.of("55P03", "HYT00");

    private SqlFailure() {}

    /** The SQLException in a failure; frameworks wrap it. */
    static Optional<SQLException> in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }

    /** Whether the database has undone the transaction for its own reasons (deadlock, serialization), so that it may go better again. */
    static boolean isRepeatable(Throwable failure) {
        return in(failure)
                .filter(e -> !(e instanceof SQLTimeoutException) && !isConnectionLost(e))
                .filter(e -> {
                    String state = state(e);
                    return (state.startsWith("40") && !state.equals("40003"))
                            || REPEATABLE.contains(e.getErrorCode())
                            || e instanceof SQLTransactionRollbackException;
                })
                .isPresent();
    }

    /** Whether the database has said that it refused to commit: a constraint that is checked at the end, or a transaction that failed. */
    static boolean isRefusedCommit(SQLException e) {
        return isRepeatable(e) || state(e).startsWith("23") || state(e).startsWith("25");
    }

    static boolean isConnectionLost(SQLException e) {
        String state = state(e);
        return state.startsWith("08")
                || state.startsWith("57P") // PostgreSQL ends its sessions
                || state.equals("90067") // H2
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLTransientConnectionException
                || e instanceof SQLRecoverableException;
    }

    static boolean isDuplicate(SQLException e) {
        return state(e).equals("23505") || e.getErrorCode() == 1062;
    }

    static boolean isLockTimeout(SQLException e) {
        return LOCK_TIMEOUT_STATES.contains(state(e)) || e.getErrorCode() == 1205 || e.getErrorCode() == 50200;
    }

    /** To be repeated: what the transaction would read is older than what the fence protects. */
    static SQLException oldSnapshot(String resource) {
        return new SQLTransactionRollbackException(
                "this transaction reads a state from before the last write to " + resource
                        + "; roll back and repeat it, and enter the fence before any other statement",
                SERIALIZATION_FAILURE);
    }

    private static String state(SQLException e) {
        @Nullable String state = e.getSQLState();
        return state == null ? "" : state;
    }
}
